// What Node.js's timers lack: an alarm at a moment of the monotonic clock. Node.js waits for whole
// milliseconds, and epoll_wait(2) may end a wait later by a thousandth of it; timerfd_create(2) does not.
// on(rang): call that when the alarm rings, again as long as it returns true.
// set(us): have it ring then, in microseconds of the monotonic clock, in place of when it was to; 0:
// not at all. As long as it is to ring, the process stays.
#include <node_api.h>
#include <stdbool.h>
#include <sys/timerfd.h>
#include <unistd.h>
#include <uv.h>

#define S_US 1000000LL
#define US_NS 1000

static int timer;
static uv_poll_t ringing;
static napi_env page;
static napi_ref rang;

// Each call is a task of its own: what it promised is done before the next one.
static bool call(void)
{
	napi_handle_scope scope;
	napi_value global, function, result, error;
	bool again = false;

	napi_open_handle_scope(page, &scope);
	napi_get_global(page, &global);
	napi_get_reference_value(page, rang, &function);
	if (napi_make_callback(page, NULL, global, function, 0, NULL, &result) == napi_ok) {
		napi_get_value_bool(page, result, &again);
	} else {
		napi_get_and_clear_last_exception(page, &error);
		napi_fatal_exception(page, error);
	}
	napi_close_handle_scope(page, scope);
	return again;
}

static void rings(uv_poll_t *handle, int status, int events)
{
	uint64_t times;

	if (read(timer, &times, sizeof(times)) < 0)
		return; // it was set anew meanwhile
	while (call())
		;
}

static napi_value on(napi_env env, napi_callback_info info)
{
	napi_value given;
	size_t count = 1;
	uv_loop_t *loop;

	napi_get_cb_info(env, info, &count, &given, NULL, NULL);
	napi_create_reference(env, given, 1, &rang);
	napi_get_uv_event_loop(env, &loop);
	page = env;
	timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	uv_poll_init(loop, &ringing, timer);
	uv_poll_start(&ringing, UV_READABLE, rings);
	uv_unref((uv_handle_t *)&ringing);
	return NULL;
}

static napi_value set(napi_env env, napi_callback_info info)
{
	struct itimerspec when = {0};
	napi_value given;
	size_t count = 1;
	int64_t us = 0;

	napi_get_cb_info(env, info, &count, &given, NULL, NULL);
	napi_get_value_int64(env, given, &us);
	when.it_value.tv_sec = us / S_US;
	when.it_value.tv_nsec = us % S_US * US_NS;
	timerfd_settime(timer, TFD_TIMER_ABSTIME, &when, NULL);
	(us ? uv_ref : uv_unref)((uv_handle_t *)&ringing);
	return NULL;
}

NAPI_MODULE_INIT()
{
	napi_property_descriptor functions[] = {
		{"on", NULL, on, NULL, NULL, NULL, napi_default, NULL},
		{"set", NULL, set, NULL, NULL, NULL, napi_default, NULL},
	};

	napi_define_properties(env, exports, 2, functions);
	return exports;
}
