// SPDX-License-Identifier: GPL-2.0
/*
 * Recorder: what TCP senders and the bottleneck did, written straight to a host file.
 *
 * It listens to the kernel's own tracepoints and appends fixed 48-byte records
 * (recorder.h; read by weir_lab/record.py) to a buffer that goes to the host
 * with the host's write(2). The guest makes no system call for it, and the clock is
 * read with interrupts off, where reading costs no virtual time: a run with the
 * recorder on is the same run as one with it off.
 *
 * Recorded:
 *   ACK     every segment that a sender on port 80 receives in ESTABLISHED, before it
 *           is processed (tcp:tcp_probe)
 *   FLOW    once per sender socket: which congestion control the kernel runs on it
 *   RETRANS every retransmitted segment (tcp:tcp_retransmit_skb)
 *   PACKET  every packet that met a device named neck*, when it left the queue, was
 *           dropped, or was still there at the end (net:net_dev_queue is the arrival,
 *           qdisc:qdisc_dequeue the departure, qdisc:qdisc_drop the drop on arrival;
 *           what a leaf like CoDel drops later shows in skb:kfree_skb only)
 *   DEADLINE what a deadline-aware sender decides once a second (aimd:aimd_decided)
 *
 * At the level of seconds, sums of these (recorder_seconds.c):
 *   SENDER   in place of ACK and RETRANS, a record per second and flow
 *   CROSSING in place of PACKET, a record per second, device and flow
 *   BIN      a record per device and 10 ms, of all of its packets
 *
 * Parameters (kernel command line):
 *   recorder.file=PATH      host path, relative to the kernel's working folder
 *   recorder.tcp=0|1|2      off; FLOW, DEADLINE, ACK and RETRANS records; FLOW,
 *                           DEADLINE and SENDER records
 *   recorder.queue=0|1|2    off; PACKET records; CROSSING and BIN records
 *   recorder.from_ns=NS     SENDER and CROSSING records are of ACKs, and of packets that came,
 *   recorder.until_ns=NS    from here to there on CLOCK_MONOTONIC
 * A lab kernel that forks has no file: each fork is told (zygote.c).
 */
#include <linux/init.h>
#include <linux/module.h>
#include <linux/reboot.h>
#include <linux/timekeeping.h>
#include <linux/vmalloc.h>

#include <os.h>

#include "recorder.h"

#define BUFFER_RECORDS	(1 << 14)

static char *file;
module_param(file, charp, 0);
static u8 tcp = LEVEL_FULL;
module_param(tcp, byte, 0);
static u8 queue = LEVEL_FULL;
module_param(queue, byte, 0);
static ulong from_ns;
module_param(from_ns, ulong, 0);
static ulong until_ns = ULONG_MAX;
module_param(until_ns, ulong, 0);

static struct weir_record *buffer;
static unsigned int buffered;
static int host_fd = -1;

u64 recorder_now_ns(void)
{
	unsigned long flags;
	u64 now;

	local_irq_save(flags);	/* with interrupts on, reading advances virtual time */
	now = ktime_get_mono_fast_ns();
	local_irq_restore(flags);
	return now;
}

bool recorder_within(u64 ns)
{
	return ns >= from_ns && ns < until_ns;
}

static void flush(void)
{
	const char *from = (const char *)buffer;
	size_t left = buffered * sizeof(*buffer);

	while (left) {
		int written = os_write_file(host_fd, from, left);

		if (written == -EINTR)
			continue;
		if (written <= 0) {
			pr_err("weir_recorder: cannot write %s: error %d\n", file, -written);
			break;
		}
		from += written;
		left -= written;
	}
	buffered = 0;
}

struct weir_record *recorder_append(void)
{
	if (buffered == BUFFER_RECORDS)
		flush();
	return &buffer[buffered++];
}

void recorder_end(void)
{
	if (host_fd < 0)
		return;
	recorder_end_queue();
	recorder_end_seconds();
	flush();
}

static int on_halt(struct notifier_block *block, unsigned long event, void *unused)
{
	recorder_end();
	return NOTIFY_DONE;
}

static struct notifier_block halt_notifier = { .notifier_call = on_halt };

static int begin(void)
{
	struct openflags flags = { .w = 1, .c = 1, .t = 1 };
	int err = 0;

	if (!file || !(tcp || queue))
		return 0;
	buffer = vmalloc_array(BUFFER_RECORDS, sizeof(*buffer));
	if (!buffer)
		return -ENOMEM;
	host_fd = os_open_file(file, flags, 0644);
	if (host_fd < 0) {
		pr_err("weir_recorder: cannot open %s: error %d\n", file, -host_fd);
		return host_fd;
	}
	if (tcp == LEVEL_SECONDS || queue == LEVEL_SECONDS)
		err = recorder_start_seconds();
	if (!err && tcp)
		err = recorder_watch_tcp(tcp == LEVEL_SECONDS) ?: recorder_watch_deadlines();
	if (!err && queue)
		err = recorder_watch_queue(queue == LEVEL_SECONDS);
	return err ?: register_reboot_notifier(&halt_notifier);
}

int recorder_begin(char *path, u8 of_tcp, u8 of_queue, u64 since_ns, u64 to_ns)
{
	file = path;
	tcp = of_tcp;
	queue = of_queue;
	from_ns = since_ns;
	until_ns = to_ns;
	return begin();
}

static int __init recorder_init(void)
{
	return begin();
}
late_initcall(recorder_init);
