// What Node's sockets lack, so that a program sleeps until much has come and never copies it.
// lowat(fd, bytes): wake the reader only when so many bytes are there (socket(7), SO_RCVLOWAT).
// drop(fd, bytes): throw away what is there, at most so many (tcp(7), MSG_TRUNC); how many it were.
#include <node_api.h>
#include <sys/socket.h>

static void arguments(napi_env env, napi_callback_info info, int32_t out[2])
{
	napi_value given[2];
	size_t count = 2;

	napi_get_cb_info(env, info, &count, given, NULL, NULL);
	napi_get_value_int32(env, given[0], &out[0]);
	napi_get_value_int32(env, given[1], &out[1]);
}

static napi_value lowat(napi_env env, napi_callback_info info)
{
	int32_t given[2];

	arguments(env, info, given);
	setsockopt(given[0], SOL_SOCKET, SO_RCVLOWAT, &given[1], sizeof(given[1]));
	return NULL;
}

static napi_value drop(napi_env env, napi_callback_info info)
{
	static char nothing;
	napi_value result;
	int32_t given[2];
	ssize_t dropped;

	arguments(env, info, given);
	dropped = recv(given[0], &nothing, given[1], MSG_TRUNC | MSG_DONTWAIT);
	napi_create_int32(env, dropped > 0 ? (int32_t)dropped : 0, &result);
	return result;
}

NAPI_MODULE_INIT()
{
	napi_property_descriptor functions[] = {
		{"lowat", NULL, lowat, NULL, NULL, NULL, napi_default, NULL},
		{"drop", NULL, drop, NULL, NULL, NULL, napi_default, NULL},
	};

	napi_define_properties(env, exports, 2, functions);
	return exports;
}
