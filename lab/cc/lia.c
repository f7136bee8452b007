// SPDX-License-Identifier: GPL-2.0
/*
 * lia: Coupled Congestion Control for Multipath Transport Protocols (RFC 6356), the Linked
 * Increases Algorithm.
 *
 * Section 3: slow start, fast retransmit and recovery are those of RFC 5681 on each subflow. In
 * congestion avoidance an ACK of a segment on subflow i raises its window by
 *	min(alpha / w_total, 1 / w_i),
 *	alpha = w_total * max(w_i / rtt_i^2) / (sum w_i / rtt_i)^2			(eq. 2)
 * so that the connection gets what a TCP would get on its best path, takes no more from any
 * bottleneck than one TCP, and moves away from congestion. w_total cancels: the window grows by one
 * segment per max((sum w/rtt)^2 / max(w/rtt^2), w_i) acknowledged ones.
 *
 * We differ thus: windows are in segments of the subflow's own MSS; alpha is computed anew on each
 * ACK, where the RFC allows once per window; the rest is Linux's reno.
 */
#include <linux/module.h>

#include "coupled.h"

struct totals {
	u64	rate;		/* sum of w/rtt */
	u64	steepest;	/* max of w/rtt^2; both scaled by COUPLED_SCALE per division */
};

static void add(struct sock *sk, void *data)
{
	struct totals *totals = data;
	u64 rate = coupled_rate(sk);

	totals->rate += rate;
	totals->steepest = max(totals->steepest,
			       div_u64(rate << COUPLED_SCALE, coupled_rtt_us(sk)));
}

/* Acknowledged segments that raise this window by one, before the bound of one TCP. */
static u32 segments_per_increase(struct sock *sk)
{
	struct totals totals = {};

	coupled_for_each(sk, add, &totals);
	return min_t(u64, U32_MAX, mul_u64_u64_div_u64(totals.rate, totals.rate,
						       max(totals.steepest, 1ull)));
}

static void lia_cong_avoid(struct sock *sk, u32 ack, u32 acked)
{
	struct tcp_sock *tp = tcp_sk(sk);

	if (!tcp_is_cwnd_limited(sk))
		return;
	if (tcp_in_slow_start(tp)) {
		acked = tcp_slow_start(tp, acked);
		if (!acked)
			return;
	}
	tcp_cong_avoid_ai(tp, max(segments_per_increase(sk), tcp_snd_cwnd(tp)), acked);
}

static struct tcp_congestion_ops lia __read_mostly = {
	.name		= "lia",
	.owner		= THIS_MODULE,
	.flags		= TCP_CONG_NON_RESTRICTED,
	.ssthresh	= tcp_reno_ssthresh,
	.cong_avoid	= lia_cong_avoid,
	.undo_cwnd	= tcp_reno_undo_cwnd,
};

static int __init lia_register(void)
{
	return tcp_register_congestion_control(&lia);
}
module_init(lia_register);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Linked Increases Algorithm (RFC 6356)");
