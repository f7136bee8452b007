// SPDX-License-Identifier: GPL-2.0
/*
 * wvegas: weighted Vegas (Cao, Xu, Fu, "Delay-based Congestion Control for Multipath TCP",
 * ICNP 2012; draft-xu-mptcp-congestion-control-05).
 *
 * Each subflow is a Vegas that keeps alpha_r segments queued, and the alphas of a connection share
 * TOTAL_ALPHA by the subflows' rates, which shifts traffic to the paths that queue least. Once per
 * round, with rtt the round's mean, base the least ever seen, and
 *	diff = w (rtt - base) / rtt		segments queued,
 *  - slow start: where diff > GAMMA it ends, with w = min(w, w base / rtt + 1);
 *  - avoidance: where diff >= alpha_r, alpha_r = max(LEAST_ALPHA, TOTAL_ALPHA x_r / sum x), with x
 *    the rates w / rtt as each subflow last stored them; w falls by one where diff is above alpha_r
 *    and rises by one where it is below;
 *  - where the queueing delay rtt - base is at least twice the least one since the last such
 *    back-off, the queue is drained: w *= base / (2 rtt).
 * w stays at 2 or more. A step down lowers ssthresh to w - 1 at most, so that it starts no new slow
 * start. A round of two samples or fewer, and every time outside the Open state, is Reno's.
 *
 * We differ thus: windows are in segments, and divisions round down.
 */
#include <linux/module.h>

#include "coupled.h"

#define LEAST_ALPHA	2u	/* segments queued by a subflow, at least */
#define TOTAL_ALPHA	10u	/* and by the whole connection, about */
#define GAMMA		1u	/* segments queued that end slow start */
#define LEAST_WINDOW	2u

struct wvegas {
	u64	rate;		/* x_r, as of the round it was last needed in; 0 after a timeout */
	u64	sampled_us;	/* sum of this round's RTT samples */
	u32	samples;
	u32	base_us;
	u32	least_queueing_us;	/* 0: none seen since the last back-off */
	u32	alpha;
	u32	round_end;	/* an ACK beyond this byte ends the round */
	bool	open;
};

static void start_round(struct sock *sk)
{
	struct wvegas *ca = inet_csk_ca(sk);

	ca->round_end = tcp_sk(sk)->snd_nxt;
	ca->samples = 0;
	ca->sampled_us = 0;
}

static void wvegas_init(struct sock *sk)
{
	struct wvegas *ca = inet_csk_ca(sk);

	memset(ca, 0, sizeof(*ca));
	ca->base_us = U32_MAX;
	ca->alpha = LEAST_ALPHA;
	ca->open = true;
	start_round(sk);
}

static void wvegas_pkts_acked(struct sock *sk, const struct ack_sample *sample)
{
	struct wvegas *ca = inet_csk_ca(sk);
	u32 rtt_us = sample->rtt_us;

	if (sample->rtt_us <= 0)
		return;
	ca->base_us = min(ca->base_us, rtt_us);
	ca->sampled_us += rtt_us;
	ca->samples++;
}

static void wvegas_set_state(struct sock *sk, u8 state)
{
	struct wvegas *ca = inet_csk_ca(sk);

	if (state == TCP_CA_Open && !ca->open)
		start_round(sk);
	ca->open = state == TCP_CA_Open;
	if (state == TCP_CA_Loss)
		ca->rate = 0;
}

/* What was measured before a pause says nothing of the path after it, but for its base. */
static void wvegas_tx_start(struct sock *sk)
{
	start_round(sk);
}

static void add_rate(struct sock *sk, void *data)
{
	const struct wvegas *ca = inet_csk_ca(sk);

	*(u64 *)data += ca->rate;
}

static void share_alpha(struct sock *sk, u32 rtt_us)
{
	struct wvegas *ca = inet_csk_ca(sk);
	u64 total = 0;

	ca->rate = div_u64((u64)tcp_snd_cwnd(tcp_sk(sk)) << COUPLED_SCALE, rtt_us);
	coupled_for_each(sk, add_rate, &total);
	ca->alpha = max_t(u32, LEAST_ALPHA, div64_u64(TOTAL_ALPHA * ca->rate, max(total, 1ull)));
}

static void step_down(struct tcp_sock *tp, u32 cwnd)
{
	tcp_snd_cwnd_set(tp, max(cwnd, LEAST_WINDOW));
	WRITE_ONCE(tp->snd_ssthresh, min(tp->snd_ssthresh, tcp_snd_cwnd(tp) - 1));
}

static void drain(struct sock *sk, u32 rtt_us)
{
	struct wvegas *ca = inet_csk_ca(sk);
	u32 queueing_us = rtt_us - ca->base_us;
	struct tcp_sock *tp = tcp_sk(sk);

	if (!ca->least_queueing_us || queueing_us < ca->least_queueing_us)
		ca->least_queueing_us = queueing_us;
	if (!queueing_us || queueing_us < 2 * ca->least_queueing_us)
		return;
	step_down(tp, div_u64((u64)tcp_snd_cwnd(tp) * ca->base_us, 2 * rtt_us));
	ca->least_queueing_us = 0;
}

static void end_round(struct sock *sk, u32 acked)
{
	struct wvegas *ca = inet_csk_ca(sk);
	struct tcp_sock *tp = tcp_sk(sk);
	u32 rtt_us = max_t(u32, div_u64(ca->sampled_us, ca->samples), ca->base_us);
	u32 cwnd = tcp_snd_cwnd(tp);
	u32 unqueued = div_u64((u64)cwnd * ca->base_us, rtt_us);
	u32 diff = div_u64((u64)cwnd * (rtt_us - ca->base_us), rtt_us);

	if (tcp_in_slow_start(tp)) {
		if (diff > GAMMA)
			step_down(tp, min(cwnd, unqueued + 1));
		else
			tcp_slow_start(tp, acked);
		return;
	}
	if (diff >= ca->alpha)
		share_alpha(sk, rtt_us);
	if (diff > ca->alpha)
		step_down(tp, cwnd - 1);
	else if (diff < ca->alpha)
		tcp_snd_cwnd_set(tp, min(cwnd + 1, tp->snd_cwnd_clamp));
	drain(sk, rtt_us);
}

static void wvegas_cong_avoid(struct sock *sk, u32 ack, u32 acked)
{
	struct wvegas *ca = inet_csk_ca(sk);
	struct tcp_sock *tp = tcp_sk(sk);

	if (!ca->open) {
		tcp_reno_cong_avoid(sk, ack, acked);
		return;
	}
	if (!after(ack, ca->round_end)) {
		if (tcp_in_slow_start(tp))
			tcp_slow_start(tp, acked);
		return;
	}
	if (ca->samples > 2)
		end_round(sk, acked);
	else
		tcp_reno_cong_avoid(sk, ack, acked);
	start_round(sk);
}

static struct tcp_congestion_ops wvegas __read_mostly = {
	.name			= "wvegas",
	.owner			= THIS_MODULE,
	.flags			= TCP_CONG_NON_RESTRICTED,
	.init			= wvegas_init,
	.ssthresh		= tcp_reno_ssthresh,
	.cong_avoid		= wvegas_cong_avoid,
	.undo_cwnd		= tcp_reno_undo_cwnd,
	.pkts_acked		= wvegas_pkts_acked,
	.set_state		= wvegas_set_state,
	.cwnd_event_tx_start	= wvegas_tx_start,
};

static int __init wvegas_register(void)
{
	BUILD_BUG_ON(sizeof(struct wvegas) > ICSK_CA_PRIV_SIZE);
	return tcp_register_congestion_control(&wvegas);
}
module_init(wvegas_register);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Weighted Vegas");
