// SPDX-License-Identifier: GPL-2.0
/*
 * Datagrams at a constant rate, sent by one system call: a process that wakes for each costs fifty
 * times what the datagram itself does, since a user-mode kernel has to hand over to it and back.
 *
 *   echo "FD BYTES GAP_NS FROM_NS COUNT" > /proc/weir_datagrams
 *
 * sends COUNT datagrams of BYTES zeros each on the connected socket that FD of the writer's is, one
 * every GAP_NS from FROM_NS of the monotonic clock on, and returns when the last is sent. Ends with
 * EINTR at a signal. For root alone.
 */
#include <linux/file.h>
#include <linux/hrtimer.h>
#include <linux/init.h>
#include <linux/module.h>
#include <linux/net.h>
#include <linux/proc_fs.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/uio.h>

#define MOST_BYTES	65507	/* that an IPv4 datagram takes */

struct train {
	int fd;
	u32 bytes;
	u64 gap_ns, from_ns, count;
};

static int wait_until(u64 instant_ns)
{
	ktime_t at = ns_to_ktime(instant_ns);

	set_current_state(TASK_INTERRUPTIBLE);
	schedule_hrtimeout(&at, HRTIMER_MODE_ABS);
	return signal_pending(current) ? -EINTR : 0;
}

static int send(struct socket *sock, void *zeros, size_t bytes)
{
	struct kvec part = { .iov_base = zeros, .iov_len = bytes };
	struct msghdr message = {};

	return kernel_sendmsg(sock, &message, &part, 1, bytes);
}

static int send_all(struct socket *sock, const struct train *train)
{
	void *zeros = kzalloc(train->bytes, GFP_KERNEL);
	int result = zeros ? 0 : -ENOMEM;

	for (u64 number = 0; result >= 0 && number < train->count; number++) {
		result = wait_until(train->from_ns + number * train->gap_ns);
		if (!result)
			result = send(sock, zeros, train->bytes);
	}
	kfree(zeros);
	return result < 0 ? result : 0;
}

static ssize_t datagrams_write(struct file *file, const char __user *from, size_t length,
			       loff_t *at)
{
	struct train train;
	struct socket *sock;
	char line[128];
	int result;

	if (length >= sizeof(line))
		return -EINVAL;
	if (copy_from_user(line, from, length))
		return -EFAULT;
	line[length] = 0;
	if (sscanf(line, "%d %u %llu %llu %llu", &train.fd, &train.bytes, &train.gap_ns,
		   &train.from_ns, &train.count) != 5 || train.bytes > MOST_BYTES)
		return -EINVAL;
	sock = sockfd_lookup(train.fd, &result);
	if (!sock)
		return result;
	result = sock->type == SOCK_DGRAM ? send_all(sock, &train) : -EPROTOTYPE;
	sockfd_put(sock);
	return result ? result : length;
}

static const struct proc_ops operations = {
	.proc_write	= datagrams_write,
};

static int __init datagrams_register(void)
{
	return proc_create("weir_datagrams", 0200, NULL, &operations) ? 0 : -ENOMEM;
}
late_initcall(datagrams_register);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Datagrams at a constant rate");
