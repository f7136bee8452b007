// SPDX-License-Identifier: GPL-2.0
/*
 * olia: Opportunistic Linked-Increases Congestion Control (draft-khalili-mptcp-congestion-control-05;
 * Khalili, Gast, Popovic, Le Boudec, "MPTCP is not Pareto-optimal", CoNEXT 2012).
 *
 * In congestion avoidance an ACK of a segment on path r raises its window by
 *	(w_r / rtt_r^2) / (sum_p w_p / rtt_p)^2 + a_r / w_r
 * The first term is Kelly and Voice's optimal load balance, the second reacts to changes. With l_r
 * the larger of the bytes acknowledged between the last two losses and since the last, n the number
 * of established paths,
 *	B  paths with the largest l_r^2 / rtt_r (the presumably best),
 *	M  paths with the largest window,
 *	a_r =  1 / (n |B \ M|)	for r in B \ M, where B \ M is not empty,
 *	a_r = -1 / (n |M|)	for r in M, where B \ M is not empty,
 *	a_r =  0		else.
 * Losses halve the window, slow start is the standard one, as in RFC 5681.
 *
 * We differ thus: windows are in segments; a path of one segment is not lowered further; equal is
 * equal after rounding l_r to KiB and the rtt to microseconds.
 */
#include <linux/module.h>

#include "coupled.h"

struct olia {
	s64	remainder;	/* of cwnd, segments << 32 */
	u64	since_bytes;	/* bytes_acked at the last loss */
	u64	between_bytes;	/* acknowledged between the two losses before */
};

struct paths {
	u64	rate;		/* sum of w/rtt */
	u64	best;		/* largest l^2/rtt */
	u32	widest;		/* largest w */
	u32	count;		/* n */
	u32	collected;	/* |B \ M| */
	u32	wide;		/* |M| */
};

static u64 quality(const struct sock *sk)
{
	const struct olia *ca = inet_csk_ca(sk);
	u64 since = tcp_sk(sk)->bytes_acked - ca->since_bytes;
	u64 kbytes = min_t(u64, max(since, ca->between_bytes) >> 10, U32_MAX);

	return div_u64(kbytes * kbytes, coupled_rtt_us(sk));
}

static void measure(struct sock *sk, void *data)
{
	struct paths *paths = data;

	paths->rate += coupled_rate(sk);
	paths->best = max(paths->best, quality(sk));
	paths->widest = max(paths->widest, tcp_snd_cwnd(tcp_sk(sk)));
	paths->count++;
}

static bool is_widest(const struct sock *sk, const struct paths *paths)
{
	return tcp_snd_cwnd(tcp_sk(sk)) == paths->widest;
}

static bool is_collected(const struct sock *sk, const struct paths *paths)
{
	return quality(sk) == paths->best && !is_widest(sk, paths);
}

static void divide(struct sock *sk, void *data)
{
	struct paths *paths = data;

	paths->wide += is_widest(sk, paths);
	paths->collected += is_collected(sk, paths);
}

/* a_r, << 32 */
static s64 shift(const struct sock *sk, const struct paths *paths)
{
	if (!paths->collected)
		return 0;
	if (is_collected(sk, paths))
		return div_s64(1ll << 32, paths->count * paths->collected);
	if (is_widest(sk, paths))
		return -div_s64(1ll << 32, paths->count * paths->wide);
	return 0;
}

/* Growth per acknowledged segment, segments << 32. */
static s64 increase(struct sock *sk)
{
	struct paths paths = {};
	u64 steep, growth;

	coupled_for_each(sk, measure, &paths);
	coupled_for_each(sk, divide, &paths);
	steep = div_u64(coupled_rate(sk) << COUPLED_SCALE, coupled_rtt_us(sk));
	growth = mul_u64_u64_div_u64(steep, 1ull << 32, max(paths.rate * paths.rate, 1ull));
	return growth + div_s64(shift(sk, &paths), tcp_snd_cwnd(tcp_sk(sk)));
}

static void olia_init(struct sock *sk)
{
	struct olia *ca = inet_csk_ca(sk);

	memset(ca, 0, sizeof(*ca));
	ca->since_bytes = tcp_sk(sk)->bytes_acked;
}

static void olia_cong_avoid(struct sock *sk, u32 ack, u32 acked)
{
	struct olia *ca = inet_csk_ca(sk);
	struct tcp_sock *tp = tcp_sk(sk);

	if (!tcp_is_cwnd_limited(sk))
		return;
	if (tcp_in_slow_start(tp)) {
		acked = tcp_slow_start(tp, acked);
		if (!acked)
			return;
	}
	coupled_grow(tp, &ca->remainder, acked * increase(sk), 1);
}

/* Called once per loss event. */
static u32 olia_ssthresh(struct sock *sk)
{
	struct olia *ca = inet_csk_ca(sk);
	struct tcp_sock *tp = tcp_sk(sk);

	ca->between_bytes = tp->bytes_acked - ca->since_bytes;
	ca->since_bytes = tp->bytes_acked;
	ca->remainder = 0;
	return tcp_reno_ssthresh(sk);
}

static struct tcp_congestion_ops olia __read_mostly = {
	.name		= "olia",
	.owner		= THIS_MODULE,
	.flags		= TCP_CONG_NON_RESTRICTED,
	.init		= olia_init,
	.ssthresh	= olia_ssthresh,
	.cong_avoid	= olia_cong_avoid,
	.undo_cwnd	= tcp_reno_undo_cwnd,
};

static int __init olia_register(void)
{
	BUILD_BUG_ON(sizeof(struct olia) > ICSK_CA_PRIV_SIZE);
	return tcp_register_congestion_control(&olia);
}
module_init(olia_register);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Opportunistic Linked Increases Algorithm");
