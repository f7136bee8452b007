// SPDX-License-Identifier: GPL-2.0
/*
 * /proc/zygote: a write to it returns once in every fork of this lab kernel (arch/um/os-Linux/zygote.c
 * has the host's side); reading it then gives the order, a line each:
 *
 *   FOLDER          the run's on the host
 *   SEED            in place of the rng-seed= that the kernel was booted with
 *   TCP QUEUE FROM_NS UNTIL_NS
 *                   the recorder's parameters; it writes to FOLDER/record.bin
 *
 * "end" in place of "fork" ends the fork once the recorder has written all, without a shutdown of what
 * is thrown away: call sync(2) before.
 *
 * The guest reseeds its generator (RNDRESEEDCRNG): a fork has the seed, and what was drawn of it.
 */
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/proc_fs.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include <os.h>
#include <um_zygote.h>

#include "recorder.h"

static char order[4096];

static int begin(void)
{
	unsigned long long seed, since_ns, to_ns;
	const char *rest = strchr(order, '\n');
	u8 tcp, queue;

	if (!rest || sscanf(rest, "\n%llu\n%hhu %hhu %llu %llu", &seed, &tcp, &queue, &since_ns,
			    &to_ns) != 5)
		return -EINVAL;
	os_set_rng_seed(seed);
	return recorder_begin("record.bin", tcp, queue, since_ns, to_ns);
}

static ssize_t zygote_write(struct file *file, const char __user *from, size_t n, loff_t *at)
{
	unsigned long flags;
	char word;
	int err;

	if (get_user(word, from))
		return -EFAULT;
	if (word == 'e') {
		recorder_end();
		os_zygote_end();
	}
	local_irq_save(flags);
	err = physmem_fork(order, sizeof(order));
	if (err >= 0)
		err = mm_restart_all();
	local_irq_restore(flags);
	if (err >= 0)
		err = begin();
	return err < 0 ? err : n;
}

static ssize_t zygote_read(struct file *file, char __user *to, size_t n, loff_t *at)
{
	return simple_read_from_buffer(to, n, at, order, strlen(order));
}

static const struct proc_ops zygote_ops = {
	.proc_read = zygote_read,
	.proc_write = zygote_write,
};

static int __init zygote_init(void)
{
	return proc_create("zygote", 0600, NULL, &zygote_ops) ? 0 : -ENOMEM;
}
late_initcall(zygote_init);
