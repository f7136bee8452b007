// SPDX-License-Identifier: GPL-2.0
/*
 * prague: Prague congestion control, after draft-briscoe-iccrg-prague-congestion-control (2024).
 *
 * DCTCP for the Internet, over a bottleneck that marks early and often (L4S, RFC 9330). Made after
 * RFC 9331's requirements and what is publicly said of the draft and of its implementations; the
 * draft's whole text was not at hand, so that details may be others there. The parts:
 * - It sends ECT(1), the identifier of L4S (RFC 9331), on every packet, and needs AccECN (RFC 9768):
 *   how many packets were marked, not only that one was. Without AccECN it is a classic control.
 * - alpha is the smoothed share of marked packets, alpha += (share - alpha) / 16, once per virtual
 *   round trip. It starts from 1 and moves only once a mark has come.
 * - A mark takes alpha / 2 of the window, once per virtual round trip.
 * - Each packet that was acknowledged without a mark adds 1 / cwnd, after a reduction as before it:
 *   at an AQM that marks at random a Prague sender is nearly always reducing.
 * - A virtual round trip lasts max(srtt, 25 ms). Where it is longer than srtt the increase is
 *   multiplied by (srtt / 25 ms)^2, so that flows with shorter round trips take no larger share.
 *   Both begin after 500 round trips out of slow start; until then a round trip is a real one.
 * - A loss is answered as a classic control answers it, whatever marks have said before.
 * - The window has a fractional part; all is paced, at cwnd / srtt, twice that in slow start,
 *   with bursts of at most 250 us. The first mark ends slow start.
 *
 * We differ thus, as far as known:
 * - The classic control, without AccECN and after a loss, is Reno (half), not CUBIC.
 * - A loss within the round of a reduction by marks leaves half of the window from before both.
 * - The window is 2 segments at least, as in Linux: the rate of a flow at smaller windows is left
 *   out, and so are detecting a classic ECN queue by its RTTs (the draft's default is off) and
 *   tolerance of reordering in time, for which Linux has RACK.
 * - The paced rate counts headers: 1500 / 1448 of the window's bytes, so that the window is the limit.
 *
 * The kernel counts what AccECN tells in tp->delivered_ce. Its state CWR begins with a mark and
 * lasts a round trip; here it only says so: the window is this file's (cong_control).
 */
#include <linux/module.h>
#include <net/tcp.h>
#include <net/tcp_ecn.h>

#define DIGITS		20			/* binary ones of a fraction */
#define ONE		(1u << DIGITS)
#define GAIN_SHIFT	4			/* g = 1/16 */
#define VIRTUAL_RTT_US	25000u
#define REAL_ROUNDS	500u			/* before round trips are virtual ones */
#define BURST_SHIFT	12			/* 1 s / 2^12 = 244 us */
#define MIN_WINDOW	2u			/* segments */

struct prague {
	u64	window;		/* cwnd, segments << DIGITS */
	u64	round_us;	/* start of the round trip, as tcp_mstamp */
	u64	reduced_us;	/* when marks last took of the window; 0: never */
	u32	delivered;	/* segments, at the round's start */
	u32	delivered_ce;
	u32	counted_ce;	/* of delivered_ce, at the last ACK */
	u32	alpha;		/* << DIGITS */
	u32	unreduced;	/* the window that marks last took of, segments */
	u32	rounds;		/* out of slow start */
	bool	marked;		/* one mark has come */
};

static struct tcp_congestion_ops prague_reno;

static u32 srtt_us(const struct tcp_sock *tp)
{
	return tp->srtt_us >> 3;
}

static bool rtt_is_virtual(const struct sock *sk)
{
	const struct prague *ca = inet_csk_ca(sk);

	return ca->rounds >= REAL_ROUNDS && !tcp_in_slow_start(tcp_sk(sk));
}

static bool rtt_since(const struct sock *sk, u64 then_us)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	u32 rtt_us = srtt_us(tp);

	if (rtt_is_virtual(sk))
		rtt_us = max(rtt_us, VIRTUAL_RTT_US);
	return tp->tcp_mstamp - then_us >= rtt_us;
}

static void begin_round(struct sock *sk)
{
	struct prague *ca = inet_csk_ca(sk);
	const struct tcp_sock *tp = tcp_sk(sk);

	ca->round_us = tp->tcp_mstamp;
	ca->delivered = tp->delivered;
	ca->delivered_ce = tp->delivered_ce;
}

static void prague_init(struct sock *sk)
{
	struct prague *ca = inet_csk_ca(sk);
	const struct tcp_sock *tp = tcp_sk(sk);

	if (!tcp_ecn_mode_accecn(tp) && sk->sk_state != TCP_LISTEN && sk->sk_state != TCP_CLOSE) {
		WRITE_ONCE(inet_csk(sk)->icsk_ca_ops, &prague_reno);
		return;
	}
	memset(ca, 0, sizeof(*ca));
	ca->alpha = ONE;
	ca->counted_ce = tp->delivered_ce;
	begin_round(sk);
	cmpxchg(&sk->sk_pacing_status, SK_PACING_NONE, SK_PACING_NEEDED);
	WRITE_ONCE(sk->sk_pacing_shift, BURST_SHIFT);
}

static void update_alpha(struct sock *sk)
{
	struct prague *ca = inet_csk_ca(sk);
	const struct tcp_sock *tp = tcp_sk(sk);
	u32 delivered = tp->delivered - ca->delivered;
	u32 share;

	if (!delivered || !rtt_since(sk, ca->round_us))
		return;
	if (!tcp_in_slow_start(tp) && ca->rounds < REAL_ROUNDS)
		ca->rounds++;
	if (ca->marked) {
		share = div_u64((u64)min(tp->delivered_ce - ca->delivered_ce, delivered) << DIGITS,
				delivered);
		ca->alpha = ca->alpha - (ca->alpha >> GAIN_SHIFT) + (share >> GAIN_SHIFT);
	}
	begin_round(sk);
}

static void set_window(struct sock *sk, u64 window)
{
	struct prague *ca = inet_csk_ca(sk);
	struct tcp_sock *tp = tcp_sk(sk);

	window = min_t(u64, window, (u64)tp->snd_cwnd_clamp << DIGITS);
	ca->window = max_t(u64, window, (u64)MIN_WINDOW << DIGITS);
	tcp_snd_cwnd_set(tp, ca->window >> DIGITS);
}

/* The kernel's own changes (restart after idle, timeout, undo) are whole segments. */
static void follow_kernel(struct sock *sk)
{
	struct prague *ca = inet_csk_ca(sk);
	u32 cwnd = tcp_snd_cwnd(tcp_sk(sk));

	if (ca->window >> DIGITS != cwnd)
		ca->window = (u64)cwnd << DIGITS;
}

static void reduce(struct sock *sk)
{
	struct prague *ca = inet_csk_ca(sk);
	struct tcp_sock *tp = tcp_sk(sk);

	if (!ca->reduced_us || rtt_since(sk, ca->reduced_us)) {
		ca->reduced_us = tp->tcp_mstamp;
		ca->unreduced = tcp_snd_cwnd(tp);
		set_window(sk, ca->window - (ca->window * ca->alpha >> (DIGITS + 1)));
	}
	WRITE_ONCE(tp->snd_ssthresh, tcp_snd_cwnd(tp));
}

/* Pacing may hold a sender below its window, which then grows all the same. */
static bool window_is_used(const struct tcp_sock *tp, const struct rate_sample *rs)
{
	return tp->is_cwnd_limited ||
	       ((tcp_in_slow_start(tp) || !rs->is_app_limited) &&
		tcp_snd_cwnd(tp) < 2 * tp->max_packets_out);
}

static void grow(struct sock *sk, u32 acked, const struct rate_sample *rs)
{
	const struct prague *ca = inet_csk_ca(sk);
	struct tcp_sock *tp = tcp_sk(sk);
	u64 added = (u64)acked << DIGITS;
	u64 rtt_us = srtt_us(tp);

	if (!acked || !window_is_used(tp, rs))
		return;
	if (tcp_in_slow_start(tp)) {
		acked = tcp_slow_start(tp, acked);
		follow_kernel(sk);
		if (!acked)
			return;
		added = (u64)acked << DIGITS;
	}
	if (rtt_is_virtual(sk) && rtt_us < VIRTUAL_RTT_US) {
		added = div_u64(added * rtt_us, VIRTUAL_RTT_US);
		added = div_u64(added * rtt_us, VIRTUAL_RTT_US);
	}
	set_window(sk, ca->window + div_u64(added, tcp_snd_cwnd(tp)));
}

static void pace(struct sock *sk)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	u64 rate = (u64)tcp_mss_to_mtu(sk, tp->mss_cache) * (USEC_PER_SEC << 3);

	if (!tp->srtt_us)
		return;
	rate = div_u64(rate * max(tcp_snd_cwnd(tp), tcp_packets_in_flight(tp)), tp->srtt_us);
	if (tcp_in_slow_start(tp))
		rate *= 2;
	WRITE_ONCE(sk->sk_pacing_rate, min_t(u64, rate, READ_ONCE(sk->sk_max_pacing_rate)));
}

static void prague_cong_control(struct sock *sk, u32 ack, int flag, const struct rate_sample *rs)
{
	struct prague *ca = inet_csk_ca(sk);
	const struct tcp_sock *tp = tcp_sk(sk);
	u32 acked = rs->acked_sacked;
	u32 marks = tp->delivered_ce - ca->counted_ce;
	u8 state = inet_csk(sk)->icsk_ca_state;

	ca->counted_ce = tp->delivered_ce;
	ca->marked |= marks > 0;
	update_alpha(sk);
	follow_kernel(sk);
	if (state == TCP_CA_Recovery) {
		tcp_cwnd_reduction(sk, acked, rs->losses, flag);
	} else {
		if (marks && state != TCP_CA_Loss)
			reduce(sk);
		grow(sk, acked - min(marks, acked), rs);
	}
	pace(sk);
}

static u32 prague_ssthresh(struct sock *sk)
{
	return max(tcp_snd_cwnd(tcp_sk(sk)) >> 1, MIN_WINDOW);
}

/* In CWR the kernel asks for no threshold, and has counted what was sent since CWR began. */
static void lose_in_cwr(struct sock *sk)
{
	const struct prague *ca = inet_csk_ca(sk);
	struct tcp_sock *tp = tcp_sk(sk);
	u32 cwnd = max_t(u32, ca->window >> DIGITS, MIN_WINDOW);
	u32 before = ca->reduced_us && !rtt_since(sk, ca->reduced_us) ? ca->unreduced : cwnd;

	WRITE_ONCE(tp->snd_ssthresh, clamp(before >> 1, MIN_WINDOW, cwnd));
	tp->prior_cwnd = cwnd;
	tp->prr_delivered = 0;
	tp->prr_out = 0;
}

static void prague_set_state(struct sock *sk, u8 state)
{
	struct tcp_sock *tp = tcp_sk(sk);
	u8 before = inet_csk(sk)->icsk_ca_state;

	if (before == TCP_CA_CWR && (state == TCP_CA_Recovery || state == TCP_CA_Loss))
		lose_in_cwr(sk);
	else if (before == TCP_CA_Recovery && state < TCP_CA_Recovery)
		tcp_snd_cwnd_set(tp, max(min(tcp_snd_cwnd(tp), tp->snd_ssthresh), MIN_WINDOW));
}

static u32 prague_min_tso_segs(struct sock *sk)
{
	return 1;
}

static struct tcp_congestion_ops prague __read_mostly = {
	.name		= "prague",
	.owner		= THIS_MODULE,
	.flags		= TCP_CONG_NON_RESTRICTED | TCP_CONG_NEEDS_ECN | TCP_CONG_NEEDS_ACCECN |
			  TCP_CONG_ECT_1_NEGOTIATION | TCP_CONG_NO_FALLBACK_RFC3168,
	.init		= prague_init,
	.cong_control	= prague_cong_control,
	.ssthresh	= prague_ssthresh,
	.set_state	= prague_set_state,
	.undo_cwnd	= tcp_reno_undo_cwnd,
	.min_tso_segs	= prague_min_tso_segs,
};

static struct tcp_congestion_ops prague_reno __read_mostly = {
	.name		= "prague-reno",
	.owner		= THIS_MODULE,
	.ssthresh	= tcp_reno_ssthresh,
	.cong_avoid	= tcp_reno_cong_avoid,
	.undo_cwnd	= tcp_reno_undo_cwnd,
};

static int __init prague_register(void)
{
	BUILD_BUG_ON(sizeof(struct prague) > ICSK_CA_PRIV_SIZE);
	return tcp_register_congestion_control(&prague);
}
module_init(prague_register);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Prague congestion control (L4S)");
