// Preloaded into a player: reads the clock once for each time that the player slept. On the virtual
// clock computing takes no time, yet most of a player's system calls read the clock (V8's collector
// alone does so thousands of times). Each reading is later by READING_NS, so that whoever waits in
// a loop for an instant gets there; more would let the player's clock run before the kernel's.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define READING_NS 1
#define MOST_READINGS 64 // without the kernel: a thread may have slept in a call that is none of below
#define S_NS 1000000000LL

// Of this thread, on the monotonic clock: now; the last reading; how many more without the kernel.
static __thread long long now_ns, last_ns;
static __thread int left;

static long long asked(clockid_t clock)
{
	struct timespec t;

	syscall(SYS_clock_gettime, clock, &t);
	return t.tv_sec * S_NS + t.tv_nsec;
}

static long long monotonic(void)
{
	if (--left < 0) {
		left = MOST_READINGS;
		now_ns = asked(CLOCK_MONOTONIC);
	}
	if (now_ns <= last_ns)
		now_ns = last_ns + READING_NS;
	last_ns = now_ns;
	return last_ns;
}

// Nobody sets the clock of a guest: the two differ by what they differed by at boot.
static long long realtime(void)
{
	static long long ahead_ns;

	if (!ahead_ns)
		ahead_ns = asked(CLOCK_REALTIME) - asked(CLOCK_MONOTONIC);
	return monotonic() + ahead_ns;
}

int clock_gettime(clockid_t clock, struct timespec *t)
{
	long long ns;

	switch (clock) {
	case CLOCK_REALTIME:
	case CLOCK_REALTIME_COARSE:
		ns = realtime();
		break;
	case CLOCK_MONOTONIC:
	case CLOCK_MONOTONIC_COARSE:
	case CLOCK_MONOTONIC_RAW:
	case CLOCK_BOOTTIME:
		ns = monotonic();
		break;
	default:
		return syscall(SYS_clock_gettime, clock, t);
	}
	t->tv_sec = ns / S_NS;
	t->tv_nsec = ns % S_NS;
	return 0;
}

int gettimeofday(struct timeval *restrict t, void *restrict zone)
{
	long long ns = realtime();

	t->tv_sec = ns / S_NS;
	t->tv_usec = ns % S_NS / 1000;
	return 0;
}

time_t time(time_t *t)
{
	time_t s = realtime() / S_NS;

	return t ? *t = s : s;
}

// Calls that sleep: the kernel is asked afterwards.
#define SLEEPS(name, parameters, arguments) AS(name, name, parameters, arguments)
#define AS(own, name, parameters, arguments) \
	int own parameters \
	{ \
		static int (*next) parameters; \
		int result; \
		if (!next) \
			next = dlsym(RTLD_NEXT, #name); \
		result = next arguments; \
		left = 0; \
		return result; \
	}

SLEEPS(epoll_wait, (int fd, struct epoll_event *e, int n, int ms), (fd, e, n, ms))
AS(sleep_for, epoll_pwait, (int fd, struct epoll_event *e, int n, int ms, const sigset_t *s),
   (fd, e, n, ms, s))
SLEEPS(poll, (struct pollfd *p, nfds_t n, int ms), (p, n, ms))
SLEEPS(ppoll, (struct pollfd *p, nfds_t n, const struct timespec *t, const sigset_t *s),
       (p, n, t, s))
SLEEPS(nanosleep, (const struct timespec *t, struct timespec *rest), (t, rest))
SLEEPS(clock_nanosleep, (clockid_t c, int f, const struct timespec *t, struct timespec *rest),
       (c, f, t, rest))
SLEEPS(sem_wait, (sem_t *s), (s))
SLEEPS(sem_timedwait, (sem_t *s, const struct timespec *t), (s, t))
SLEEPS(sem_clockwait, (sem_t *s, clockid_t c, const struct timespec *t), (s, c, t))
SLEEPS(pthread_cond_wait, (pthread_cond_t *c, pthread_mutex_t *m), (c, m))
SLEEPS(pthread_cond_timedwait, (pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *t),
       (c, m, t))
SLEEPS(pthread_cond_clockwait,
       (pthread_cond_t *c, pthread_mutex_t *m, clockid_t k, const struct timespec *t), (c, m, k, t))

// Node.js looks before each sleep whether anything is there already, to know how long it is idle
// (UV_METRICS_IDLE_TIME). The sleep finds that out, too; who looks twice in a row does not sleep.
int epoll_pwait(int fd, struct epoll_event *e, int n, int ms, const sigset_t *s)
{
	static __thread int has_looked;

	has_looked = ms == 0 && !has_looked;
	return has_looked ? 0 : sleep_for(fd, e, n, ms, s);
}
