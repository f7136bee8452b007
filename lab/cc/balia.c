// SPDX-License-Identifier: GPL-2.0
/*
 * balia: Balanced Linked Adaptation (draft-walid-mptcp-congestion-control-04; Peng, Walid, Hwang,
 * Low, "Multipath TCP: Analysis, Design, and Implementation", IEEE/ACM ToN 2016).
 *
 * With x_r = w_r / rtt_r and a_r = max(x) / x_r, in congestion avoidance an ACK of a segment on
 * path r raises its window by
 *	x_r / (rtt_r (sum x)^2) * (1 + a_r) / 2 * (4 + a_r) / 5
 * and a loss lowers it by w_r / 2 * min(a_r, 1.5). On one path a = 1, and this is Reno.
 * Slow start is the standard one.
 *
 * We differ thus: windows are in segments, a is in 1/1024, and a window does not fall below one
 * segment.
 */
#include <linux/module.h>

#include "coupled.h"

#define A_SCALE	10	/* a << A_SCALE */
#define A_MOST	(1u << 20)	/* a slower path than that grows as this one; keeps a^2 in 64 bits */

struct balia {
	s64	remainder;	/* of cwnd, segments << 32 */
};

struct rates {
	u64	sum;
	u64	most;
};

static void add(struct sock *sk, void *data)
{
	struct rates *rates = data;
	u64 rate = coupled_rate(sk);

	rates->sum += rate;
	rates->most = max(rates->most, rate);
}

static u64 ratio(const struct rates *rates, u64 rate)
{
	return min_t(u64, div64_u64(rates->most << A_SCALE, max(rate, 1ull)), A_MOST);
}

/* Growth per acknowledged segment, segments << 32. */
static s64 increase(struct sock *sk)
{
	u64 rate = coupled_rate(sk), steep, a;
	struct rates rates = {};
	u64 one = 1ull << A_SCALE;

	coupled_for_each(sk, add, &rates);
	a = ratio(&rates, rate);
	steep = div_u64(rate << COUPLED_SCALE, coupled_rtt_us(sk));
	steep = mul_u64_u64_div_u64(steep, (one + a) * (4 * one + a), 10 * one * one);
	return mul_u64_u64_div_u64(steep, 1ull << 32, max(rates.sum * rates.sum, 1ull));
}

static void balia_init(struct sock *sk)
{
	memset(inet_csk_ca(sk), 0, sizeof(struct balia));
}

static void balia_cong_avoid(struct sock *sk, u32 ack, u32 acked)
{
	struct balia *ca = inet_csk_ca(sk);
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

static u32 balia_ssthresh(struct sock *sk)
{
	u32 cwnd = tcp_snd_cwnd(tcp_sk(sk));
	struct balia *ca = inet_csk_ca(sk);
	struct rates rates = {};
	u64 a;

	coupled_for_each(sk, add, &rates);
	a = min_t(u64, ratio(&rates, coupled_rate(sk)), 3u << (A_SCALE - 1));
	ca->remainder = 0;
	return max_t(u32, cwnd - (cwnd * a >> (A_SCALE + 1)), 1u);
}

static struct tcp_congestion_ops balia __read_mostly = {
	.name		= "balia",
	.owner		= THIS_MODULE,
	.flags		= TCP_CONG_NON_RESTRICTED,
	.init		= balia_init,
	.ssthresh	= balia_ssthresh,
	.cong_avoid	= balia_cong_avoid,
	.undo_cwnd	= tcp_reno_undo_cwnd,
};

static int __init balia_register(void)
{
	BUILD_BUG_ON(sizeof(struct balia) > ICSK_CA_PRIV_SIZE);
	return tcp_register_congestion_control(&balia);
}
module_init(balia_register);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Balanced Linked Adaptation");
