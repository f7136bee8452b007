// What Node's sockets lack: a body is read as it comes, as a browser reads it, but by a thread that
// stays in the kernel, and never copied. To be woken for each packet would cost a run two system calls
// a packet.
// take(fd, bytes, ms, came): throw away so many bytes as they come (recv(2), MSG_WAITALL; tcp(7),
// MSG_TRUNC). Calls came(how many so far, whether that was all or the connection has ended) at once
// where nothing came for so many ms, else when so many have passed. Nobody else may read meanwhile.
// stop(fd): have a take end now.
#define _GNU_SOURCE
#include <errno.h>
#include <node_api.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define TAKES 4
#define MS_NS 1000000
#define INTERRUPTS SIGRTMIN

struct taking {
	napi_async_work work;
	napi_threadsafe_function came;
	int fd; // a second one of the socket, which may be closed meanwhile
	int64_t wanted;
	int32_t ms;
	atomic_llong got;
	atomic_bool over;
};

static void tell(struct taking *taking)
{
	napi_call_threadsafe_function(taking->came, NULL, napi_tsfn_nonblocking);
}

static void interrupt(int signal)
{
}

// A timer that interrupts this thread's system calls; SO_RCVTIMEO would end them up to 2 ms later.
static timer_t interrupter(void)
{
	struct sigaction action = {.sa_handler = interrupt};
	struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = INTERRUPTS};
	sigset_t interrupts;
	timer_t timer;

	sigaction(INTERRUPTS, &action, NULL);
	sigemptyset(&interrupts);
	sigaddset(&interrupts, INTERRUPTS);
	pthread_sigmask(SIG_UNBLOCK, &interrupts, NULL);
	event._sigev_un._tid = gettid();
	timer_create(CLOCK_MONOTONIC, &event, &timer);
	return timer;
}

// By SCHED_IDLE, so that whoever has a usual policy runs before it: packets of one instant are read
// when all of them have come, as by a reader that has to be woken first. Linux takes those that were
// not read off what it opens the receive window by.
static void receive(napi_env env, void *data)
{
	struct taking *taking = data;
	struct itimerspec often = {0};
	struct sched_param idle = {0};
	timer_t timer = interrupter();
	static char nothing;
	int at_once = 0, all = MSG_WAITALL;
	int64_t left = taking->wanted;
	ssize_t got;

	sched_setscheduler(0, SCHED_IDLE, &idle);
	often.it_value.tv_nsec = often.it_interval.tv_nsec = taking->ms * MS_NS;
	ioctl(taking->fd, FIONBIO, &at_once);
	while (left > 0) {
		timer_settime(timer, 0, &often, NULL);
		got = recv(taking->fd, &nothing, left, MSG_TRUNC | all);
		if (got > 0) {
			left -= got;
			taking->got = taking->wanted - left;
			all = MSG_WAITALL;
			if (left > 0)
				tell(taking);
		} else if (got < 0 && errno == EINTR) {
			all = 0;
		} else {
			break;
		}
	}
	timer_delete(timer);
	at_once = 1;
	ioctl(taking->fd, FIONBIO, &at_once);
	taking->over = 1;
	tell(taking);
}

static void told(napi_env env, napi_value came, void *context, void *data)
{
	struct taking *taking = context;
	napi_value undefined, given[2];
	int over = taking->over;

	if (!env)
		return;
	napi_get_undefined(env, &undefined);
	napi_create_int64(env, taking->got, &given[0]);
	napi_get_boolean(env, over, &given[1]);
	napi_call_function(env, undefined, came, 2, given, NULL);
}

static void ended(napi_env env, napi_status status, void *data)
{
	struct taking *taking = data;

	napi_delete_async_work(env, taking->work);
	napi_release_threadsafe_function(taking->came, napi_tsfn_release);
}

static void forget(napi_env env, void *data, void *hint)
{
	close(((struct taking *)data)->fd);
	free(data);
}

static napi_value take(napi_env env, napi_callback_info info)
{
	struct taking *taking = calloc(1, sizeof(*taking));
	napi_value given[TAKES], name;
	size_t count = TAKES;
	int32_t fd = -1;

	napi_get_cb_info(env, info, &count, given, NULL, NULL);
	napi_get_value_int32(env, given[0], &fd);
	napi_get_value_int64(env, given[1], &taking->wanted);
	napi_get_value_int32(env, given[2], &taking->ms);
	taking->fd = dup(fd);
	napi_create_string_utf8(env, "take", NAPI_AUTO_LENGTH, &name);
	napi_create_threadsafe_function(env, given[3], NULL, name, 0, 1, taking, forget, taking, told,
					&taking->came);
	napi_create_async_work(env, NULL, name, receive, ended, taking, &taking->work);
	napi_queue_async_work(env, taking->work);
	return NULL;
}

static napi_value stop(napi_env env, napi_callback_info info)
{
	napi_value given;
	size_t count = 1;
	int32_t fd = -1;

	napi_get_cb_info(env, info, &count, &given, NULL, NULL);
	napi_get_value_int32(env, given, &fd);
	shutdown(fd, SHUT_RD);
	return NULL;
}

NAPI_MODULE_INIT()
{
	napi_property_descriptor functions[] = {
		{"take", NULL, take, NULL, NULL, NULL, napi_default, NULL},
		{"stop", NULL, stop, NULL, NULL, NULL, napi_default, NULL},
	};

	napi_define_properties(env, exports, 2, functions);
	return exports;
}
