// What Node's sockets lack: a body is read as it comes, as a browser reads it, but by a thread that
// stays in the kernel until all of it has come, and never copied. To be woken for each packet would
// cost a run two system calls a packet.
// take(fd, bytes, then) -> taking: throw away so many bytes as they come (recv(2), MSG_WAITALL;
// tcp(7), MSG_TRUNC), and call then(how many came): fewer, where the connection ended. Nobody else
// may read meanwhile.
// came(taking): how many came so far.
// stop(taking): have it end now.
#include <linux/mptcp.h>
#include <linux/sockios.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <node_api.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#define ARGUMENTS 3

struct taking {
	napi_async_work work;
	napi_ref then, itself; // until it has ended
	int fd; // a second one of the socket, which may be closed meanwhile
	int of_subflows;
	uint64_t before, wanted;
	int64_t got;
};

// Bytes that came in order on the connection, by whatever it counts from.
static uint64_t received(const struct taking *taking)
{
	struct mptcp_info of_all = {0};
	struct tcp_info of_one = {0};
	socklen_t size;

	if (taking->of_subflows) {
		size = sizeof(of_all);
		getsockopt(taking->fd, SOL_MPTCP, MPTCP_INFO, &of_all, &size);
		return of_all.mptcpi_rcv_nxt;
	}
	size = sizeof(of_one);
	getsockopt(taking->fd, IPPROTO_TCP, TCP_INFO, &of_one, &size);
	return of_one.tcpi_bytes_received;
}

static void receive(napi_env env, void *data)
{
	struct taking *taking = data;
	static char nothing;
	int at_once = 0;

	ioctl(taking->fd, FIONBIO, &at_once);
	taking->got = recv(taking->fd, &nothing, taking->wanted, MSG_TRUNC | MSG_WAITALL);
	at_once = 1;
	ioctl(taking->fd, FIONBIO, &at_once);
}

static void tell(napi_env env, napi_status status, void *data)
{
	struct taking *taking = data;
	napi_value then, undefined, got;

	close(taking->fd);
	taking->fd = -1;
	napi_get_reference_value(env, taking->then, &then);
	napi_delete_reference(env, taking->then);
	napi_delete_reference(env, taking->itself);
	napi_delete_async_work(env, taking->work);
	napi_get_undefined(env, &undefined);
	napi_create_int64(env, taking->got > 0 ? taking->got : 0, &got);
	napi_call_function(env, undefined, then, 1, &got, NULL);
}

static void forget(napi_env env, void *data, void *hint)
{
	free(data);
}

static napi_value take(napi_env env, napi_callback_info info)
{
	struct taking *taking = calloc(1, sizeof(*taking));
	napi_value given[ARGUMENTS], name, result;
	size_t count = ARGUMENTS;
	socklen_t size = sizeof(int);
	int32_t fd = -1;
	int64_t wanted = 0;
	int protocol = 0, unread = 0;

	napi_get_cb_info(env, info, &count, given, NULL, NULL);
	napi_get_value_int32(env, given[0], &fd);
	napi_get_value_int64(env, given[1], &wanted);
	getsockopt(fd, SOL_SOCKET, SO_PROTOCOL, &protocol, &size);
	ioctl(fd, SIOCINQ, &unread);
	taking->fd = dup(fd);
	taking->of_subflows = protocol == IPPROTO_MPTCP;
	taking->before = received(taking) - unread;
	taking->wanted = wanted;
	napi_create_reference(env, given[2], 1, &taking->then);
	napi_create_external(env, taking, forget, NULL, &result);
	napi_create_reference(env, result, 1, &taking->itself);
	napi_create_string_utf8(env, "take", NAPI_AUTO_LENGTH, &name);
	napi_create_async_work(env, NULL, name, receive, tell, taking, &taking->work);
	napi_queue_async_work(env, taking->work);
	return result;
}

static struct taking *asked(napi_env env, napi_callback_info info)
{
	napi_value given;
	size_t count = 1;
	void *taking = NULL;

	napi_get_cb_info(env, info, &count, &given, NULL, NULL);
	napi_get_value_external(env, given, &taking);
	return taking;
}

static napi_value came(napi_env env, napi_callback_info info)
{
	const struct taking *taking = asked(env, info);
	uint64_t bytes = received(taking) - taking->before;
	napi_value result;

	napi_create_int64(env, bytes < taking->wanted ? bytes : taking->wanted, &result);
	return result;
}

static napi_value stop(napi_env env, napi_callback_info info)
{
	shutdown(asked(env, info)->fd, SHUT_RD);
	return NULL;
}

NAPI_MODULE_INIT()
{
	napi_property_descriptor functions[] = {
		{"take", NULL, take, NULL, NULL, NULL, napi_default, NULL},
		{"came", NULL, came, NULL, NULL, NULL, napi_default, NULL},
		{"stop", NULL, stop, NULL, NULL, NULL, napi_default, NULL},
	};

	napi_define_properties(env, exports, 3, functions);
	return exports;
}
