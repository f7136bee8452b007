/* times(2) for packetdrill, which asks it in a loop until the kernel's tick goes on: on a clock that
 * stands still while a program computes, it never would. Each call waits for a tenth of a tick. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

clock_t times(struct tms *buffer)
{
	const struct timespec wait = { .tv_nsec = 100000 };

	nanosleep(&wait, NULL);
	return syscall(SYS_times, buffer);
}
