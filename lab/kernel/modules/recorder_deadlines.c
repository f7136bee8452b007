// SPDX-License-Identifier: GPL-2.0
/* The recorder's DEADLINE records: what the deadline-aware control decides, once a second. */
#include <linux/string.h>
#include <net/inet_sock.h>

#include "aimd_trace.h"
#include "recorder.h"

static void on_decision(void *data, const struct sock *sk, s64 margin_us, u64 throughput_bps,
			u32 alpha_milli, u32 beta_milli)
{
	struct weir_record *r = recorder_append();

	memset(r, 0, sizeof(*r));
	r->t_ns = recorder_now_ns();
	r->kind = REC_DEADLINE;
	r->port = inet_sk(sk)->inet_dport;
	r->addr = inet_sk(sk)->inet_daddr;
	r->deadline.margin_us = margin_us;
	r->deadline.throughput_bps = throughput_bps;
	r->deadline.alpha_milli = alpha_milli;
	r->deadline.beta_milli = beta_milli;
}

int recorder_watch_deadlines(void)
{
	return register_trace_aimd_decided(on_decision, NULL);
}
