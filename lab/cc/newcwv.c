// SPDX-License-Identifier: GPL-2.0
/*
 * newcwv: New Congestion Window Validation (RFC 7661) on Reno.
 *
 * An application that sends less than cwnd allows leaves a window that no ACK has
 * confirmed of late. RFC 2861, which Linux follows, takes such a window back; RFC 7661
 * keeps it for a while and answers a loss by what was really in the network.
 *
 * The RFC in short, by section:
 * 4.2  pipeACK is the volume that the network acknowledged in one RTT: the largest sample
 *      of the last max(3 RTT, 1 s) (4.5.1: kept in bins). It is undefined at the start and
 *      after every recovery (4.4.1), 0 once a sender was silent for the whole period, and not
 *      sampled during recovery.
 * 4.3  Validated: pipeACK undefined or >= cwnd / 2; the standard rules hold.
 *      Non-validated: pipeACK < cwnd / 2.
 * 4.4  Non-validated: cwnd stays, but grows by the standard rule while it is the limit.
 * 4.4.1 Loss while non-validated: LossFlightSize is what was sent and not acknowledged;
 *      cwnd = max(pipeACK, LossFlightSize) / 2. At the end of recovery
 *      cwnd = ssthresh = (max(pipeACK, LossFlightSize) - R) / 2, at least one segment, R
 *      being what was retransmitted, each segment counted once. A retransmission timeout
 *      ends the phase and has the standard response.
 * 4.4.2 Bursts of the phase should be limited, for example by pacing cwnd over the RTT:
 *      the parameter `pacing`.
 * 4.4.3 For every five minutes in the phase, asked when something is sent:
 *      ssthresh = max(ssthresh, 3/4 cwnd), then cwnd = max(cwnd / 2, IW).
 *
 * We differ thus:
 * - All is counted in segments, as Linux counts cwnd; pipeACK is rounded up.
 * - A recovery's reduction is spread over its ACKs by PRR (RFC 9937), as for every control
 *   in Linux; PRR starts from max(pipeACK, LossFlightSize) in place of cwnd, or it would
 *   silence a sender whose window is mostly unused.
 * - "The standard response" to a timeout is max(FlightSize / 2, 2) (RFC 5681, equation 4)
 *   while non-validated, since half of an unused window says nothing; validated, it is
 *   Linux's max(cwnd / 2, 2).
 * - A loss that proves spurious restores the window of before it.
 * - R counts a segment as repeated when it lies below what was retransmitted already.
 * - The paced rate is Linux's: 1.2 cwnd per RTT, in slow start 2 cwnd per RTT.
 *
 * Needs net.ipv4.tcp_slow_start_after_idle=0, or the kernel itself takes cwnd back.
 */
#include <linux/module.h>
#include <net/tcp.h>
#include <trace/events/tcp.h>

#define BINS		5
#define MIN_PERIOD	HZ			/* pipeACK's period is max(3 RTT, this) */
#define NVP_LIMIT	(5 * 60 * HZ)

static bool pacing;
module_param(pacing, bool, 0644);
MODULE_PARM_DESC(pacing, "pace cwnd over the RTT while non-validated");

struct newcwv {
	u32	bin[BINS];	/* largest sample of each fifth of the period, segments */
	u32	bin_start;	/* of bin[newest], jiffies */
	u32	sample_una;	/* first byte of the running sample */
	u32	sample_end;	/* an ACK of this byte ends it */
	u32	nvp_since;	/* start of the phase, or of its current five minutes; jiffies */
	u32	flight;		/* max(pipeACK, LossFlightSize) at the loss, segments */
	u32	retransmitted;	/* R, segments */
	u32	retransmitted_to; /* end of the highest retransmitted segment */
	u32	cwnd_before;	/* the window before the loss, for undo */
	u8	newest;
	bool	defined;	/* pipeACK is */
	bool	sampling;	/* sample_end is set */
	bool	nvp;		/* non-validated */
	bool	nvp_loss;	/* this recovery began while non-validated */
};

static u32 bin_width(const struct tcp_sock *tp)
{
	return max_t(u32, 3 * usecs_to_jiffies(tp->srtt_us >> 3), MIN_PERIOD) / BINS;
}

/* Empties the bins whose time has gone. */
static void age(struct sock *sk)
{
	struct newcwv *ca = inet_csk_ca(sk);
	u32 width = bin_width(tcp_sk(sk));
	u32 steps = (tcp_jiffies32 - ca->bin_start) / width;
	u32 i;

	for (i = 0; i < min_t(u32, steps, BINS); i++) {
		ca->newest = (ca->newest + 1) % BINS;
		ca->bin[ca->newest] = 0;
	}
	ca->bin_start += steps * width;
}

static u32 pipe_ack(const struct newcwv *ca)
{
	u32 i, most = 0;

	for (i = 0; i < BINS; i++)
		most = max(most, ca->bin[i]);
	return most;
}

static void forget(struct newcwv *ca)
{
	memset(ca->bin, 0, sizeof(ca->bin));
	ca->bin_start = tcp_jiffies32;
	ca->defined = false;
	ca->sampling = false;
}

/* When the newest sample that confirmed the window leaves the period (an empty one: now). */
static u32 expiry(struct sock *sk)
{
	const struct newcwv *ca = inet_csk_ca(sk);
	u32 width = bin_width(tcp_sk(sk)), i;

	for (i = 0; i < BINS; i++) {
		u32 at = (ca->newest + BINS - i) % BINS;

		if (2 * ca->bin[at] >= tcp_snd_cwnd(tcp_sk(sk)))
			return ca->bin_start + (BINS - i) * width;
	}
	return tcp_jiffies32;
}

static void limit_bursts(struct sock *sk, bool nvp)
{
	if (nvp && pacing)
		cmpxchg(&sk->sk_pacing_status, SK_PACING_NONE, SK_PACING_NEEDED);
	else
		cmpxchg(&sk->sk_pacing_status, SK_PACING_NEEDED, SK_PACING_NONE);
}

/* Which phase is it? (4.3) Returns whether cwnd stands non-validated. */
static bool update_phase(struct sock *sk)
{
	struct newcwv *ca = inet_csk_ca(sk);
	u32 confirmed_until = expiry(sk);
	bool nvp;

	age(sk);
	nvp = ca->defined && 2 * pipe_ack(ca) < tcp_snd_cwnd(tcp_sk(sk));
	if (nvp && !ca->nvp)
		ca->nvp_since = before(confirmed_until, tcp_jiffies32) ?
				confirmed_until : tcp_jiffies32;
	ca->nvp = nvp;
	limit_bursts(sk, nvp);
	return nvp;
}

/* 4.4.3 */
static void adjust_old_window(struct sock *sk)
{
	struct newcwv *ca = inet_csk_ca(sk);
	struct tcp_sock *tp = tcp_sk(sk);
	u32 initial = tcp_init_cwnd(tp, __sk_dst_get(sk));

	while (ca->nvp && tcp_jiffies32 - ca->nvp_since >= NVP_LIMIT) {
		u32 cwnd = tcp_snd_cwnd(tp);

		WRITE_ONCE(tp->snd_ssthresh, max(tp->snd_ssthresh, (cwnd >> 1) + (cwnd >> 2)));
		if (cwnd > initial)
			tcp_snd_cwnd_set(tp, max(cwnd >> 1, initial));
		ca->nvp_since += NVP_LIMIT;
		update_phase(sk);
	}
}

/* One sample: from the first byte in flight until an ACK of all that was then in flight. */
static void take_sample(struct sock *sk)
{
	struct newcwv *ca = inet_csk_ca(sk);
	struct tcp_sock *tp = tcp_sk(sk);

	if (!ca->sampling) {
		ca->sample_end = tp->snd_nxt;
		ca->sampling = true;
	}
	if (before(tp->snd_una, ca->sample_end) || tp->snd_una == ca->sample_una)
		return;
	age(sk);
	ca->bin[ca->newest] = max(ca->bin[ca->newest],
				  DIV_ROUND_UP(tp->snd_una - ca->sample_una, tp->mss_cache));
	ca->defined = true;
	ca->sample_una = tp->snd_una;
	ca->sample_end = tp->snd_nxt;
}

static void newcwv_init(struct sock *sk)
{
	struct newcwv *ca = inet_csk_ca(sk);

	memset(ca, 0, sizeof(*ca));
	forget(ca);
	ca->sample_una = tcp_sk(sk)->snd_una;
}

/* The first data after nothing was in flight: a new sample, and a look at old windows. */
static void newcwv_tx_start(struct sock *sk)
{
	struct newcwv *ca = inet_csk_ca(sk);

	if (inet_csk(sk)->icsk_ca_state >= TCP_CA_CWR)
		return;
	ca->sampling = false;
	ca->sample_una = tcp_sk(sk)->snd_una;
	update_phase(sk);
	adjust_old_window(sk);
}

static void newcwv_in_ack_event(struct sock *sk, u32 flags)
{
	if (inet_csk(sk)->icsk_ca_state >= TCP_CA_CWR)
		return;
	take_sample(sk);
	update_phase(sk);
	adjust_old_window(sk);
}

static void newcwv_cong_avoid(struct sock *sk, u32 ack, u32 acked)
{
	const struct newcwv *ca = inet_csk_ca(sk);

	if (ca->nvp && !tcp_sk(sk)->is_cwnd_limited)
		return;
	tcp_reno_cong_avoid(sk, ack, acked);
}

static u32 newcwv_ssthresh(struct sock *sk)
{
	struct newcwv *ca = inet_csk_ca(sk);
	struct tcp_sock *tp = tcp_sk(sk);

	ca->cwnd_before = tcp_snd_cwnd(tp);
	ca->retransmitted = 0;
	ca->retransmitted_to = tp->snd_una;
	ca->nvp_loss = update_phase(sk);
	if (!ca->nvp_loss)
		return tcp_reno_ssthresh(sk);
	ca->flight = max(pipe_ack(ca), tp->packets_out);
	tp->prior_cwnd = max(ca->flight, 1u);
	return max(ca->flight >> 1, 1u);
}

static u32 newcwv_undo_cwnd(struct sock *sk)
{
	const struct newcwv *ca = inet_csk_ca(sk);

	return max(tcp_snd_cwnd(tcp_sk(sk)), ca->cwnd_before);
}

/* 4.4.1, end of recovery; the core has set cwnd to ssthresh unless the loss was undone. */
static void end_recovery(struct sock *sk)
{
	struct newcwv *ca = inet_csk_ca(sk);
	struct tcp_sock *tp = tcp_sk(sk);
	bool stands = inet_csk(sk)->icsk_ca_state == TCP_CA_CWR || tp->undo_marker;

	if (ca->nvp_loss && stands) {
		u32 kept = ca->flight - min(ca->flight, ca->retransmitted);

		tcp_snd_cwnd_set(tp, max(kept >> 1, 1u));
		WRITE_ONCE(tp->snd_ssthresh, tcp_snd_cwnd(tp));
	}
	ca->nvp_loss = false;
}

static void newcwv_cwnd_event(struct sock *sk, enum tcp_ca_event event)
{
	struct newcwv *ca = inet_csk_ca(sk);

	if (event == CA_EVENT_COMPLETE_CWR) {
		end_recovery(sk);
	} else if (event == CA_EVENT_LOSS) {
		if (ca->nvp_loss)
			WRITE_ONCE(tcp_sk(sk)->snd_ssthresh,
				   max(tcp_sk(sk)->packets_out >> 1, 2u));
		ca->nvp_loss = false;
	}
}

/* Whatever recovery it was, what was measured before says nothing about the path now. */
static void newcwv_set_state(struct sock *sk, u8 state)
{
	struct newcwv *ca = inet_csk_ca(sk);

	if (state >= TCP_CA_CWR || inet_csk(sk)->icsk_ca_state < TCP_CA_CWR)
		return;
	forget(ca);
	ca->sample_una = tcp_sk(sk)->snd_una;
	ca->nvp = false;
	limit_bursts(sk, false);
}

static struct tcp_congestion_ops newcwv __read_mostly = {
	.name			= "newcwv",
	.owner			= THIS_MODULE,
	.flags			= TCP_CONG_NON_RESTRICTED,
	.init			= newcwv_init,
	.ssthresh		= newcwv_ssthresh,
	.cong_avoid		= newcwv_cong_avoid,
	.undo_cwnd		= newcwv_undo_cwnd,
	.set_state		= newcwv_set_state,
	.cwnd_event		= newcwv_cwnd_event,
	.cwnd_event_tx_start	= newcwv_tx_start,
	.in_ack_event		= newcwv_in_ack_event,
};

static void count_retransmission(void *data, const struct sock *sk, const struct sk_buff *skb,
				 int err)
{
	struct newcwv *ca = inet_csk_ca(sk);

	if (err || inet_csk(sk)->icsk_ca_ops != &newcwv ||
	    before(TCP_SKB_CB(skb)->seq, ca->retransmitted_to))
		return;
	ca->retransmitted += tcp_skb_pcount(skb);
	ca->retransmitted_to = TCP_SKB_CB(skb)->end_seq;
}

static int __init newcwv_register(void)
{
	BUILD_BUG_ON(sizeof(struct newcwv) > ICSK_CA_PRIV_SIZE);
	return tcp_register_congestion_control(&newcwv) ?:
	       register_trace_tcp_retransmit_skb(count_retransmission, NULL);
}
module_init(newcwv_register);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("New Congestion Window Validation (RFC 7661)");
