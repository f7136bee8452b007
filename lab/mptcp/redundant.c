// SPDX-License-Identifier: GPL-2.0
/*
 * redundant: an example of bringing your own MPTCP scheduler. What is sent goes over every subflow
 * that can carry it, backups too; the receiver keeps what comes first. It buys latency with
 * capacity: two paths carry what one would.
 *
 * To bring another: copy this file to a new name in this folder, fill in get_send (which subflows
 * carry what is sent next) and get_retrans (which carry it again) and rename. The build picks up
 * every .c file here; an experiment names it by .name (server.scheduler).
 */
#include <linux/module.h>

#include "../../mptcp/protocol.h"

static int choose_all(struct mptcp_sock *msk)
{
	struct mptcp_subflow_context *subflow;
	int error = -EINVAL;

	mptcp_for_each_subflow(msk, subflow) {
		struct sock *ssk = mptcp_subflow_tcp_sock(subflow);

		if (!mptcp_subflow_active(subflow) || !sk_stream_memory_free(ssk))
			continue;
		mptcp_subflow_set_scheduled(subflow, true);
		error = 0;
	}
	return error;
}

static struct mptcp_sched_ops redundant = {
	.name		= "redundant",
	.owner		= THIS_MODULE,
	.get_send	= choose_all,
	.get_retrans	= choose_all,
};

static int __init redundant_register(void)
{
	return mptcp_register_scheduler(&redundant);
}
module_init(redundant_register);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("MPTCP scheduler: everything on every path");
