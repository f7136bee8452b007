// SPDX-License-Identifier: GPL-2.0
/*
 * aimd: additive increase and multiplicative decrease with parameters per socket (Claeys et al.,
 * "Deadline-aware TCP Congestion Control for Video Streaming Services", 2016, section on
 * parametrised AIMD), and their choice by deadlines (deadline.h).
 *
 * In congestion avoidance cwnd grows by one segment per alpha RTTs:
 *	cwnd += MSS * MSS / (alpha * cwnd)	per acknowledged segment,
 * and a loss that duplicate ACKs tell of leaves (1 - beta) cwnd. alpha = 1 and beta = 0.5 is New
 * Reno. A timeout halves whatever beta is; slow start and recovery are Linux's.
 *
 * A socket starts with the module's parameters alpha_milli and beta_milli (1/1000), and takes what
 * its requests ask for (aimd_request.c).
 *
 * We differ thus: windows are in segments; alpha below 1 needs several segments of growth per ACK
 * at small windows, hence fixed point with 32 binary digits; a window of two segments is the least
 * that a loss leaves, as in Linux's reno. With New Reno's values the arithmetic is reno's own.
 */
#include <linux/module.h>

#include "aimd.h"

#define CREATE_TRACE_POINTS
#include "aimd_trace.h"

static uint alpha_milli = NEW_RENO_ALPHA;
module_param(alpha_milli, uint, 0644);
MODULE_PARM_DESC(alpha_milli, "RTTs per segment of growth, 1/1000");

static uint beta_milli = NEW_RENO_BETA;
module_param(beta_milli, uint, 0644);
MODULE_PARM_DESC(beta_milli, "share of cwnd that a loss takes, 1/1000");

static void aimd_init(struct sock *sk)
{
	struct aimd *ca = inet_csk_ca(sk);

	memset(ca, 0, sizeof(*ca));
	ca->alpha_milli = clamp(alpha_milli, 50u, 1000000u);
	ca->beta_milli = clamp(beta_milli, 1u, 999u);
}

/* One decision every t_r, from the first byte on. */
static void decide(struct sock *sk)
{
	struct aimd *ca = inet_csk_ca(sk);
	struct deadline_stream *stream = &ca->stream;
	const struct tcp_sock *tp = tcp_sk(sk);
	s64 now_us = tp->tcp_mstamp, passed_us = now_us - stream->decided_us;
	s64 got_bps, margin_us;

	if (!stream->rate_bps || stream->missed || passed_us < DEADLINE_REACTION_US)
		return;
	got_bps = div64_s64((s64)(tp->snd_una - stream->acked_seq) * 8 * 1000000, passed_us);
	stream->sent_bytes += tp->snd_nxt - stream->sent_seq;
	stream->acked_seq = tp->snd_una;
	stream->sent_seq = tp->snd_nxt;
	stream->decided_us = now_us;
	if (now_us >= stream->end_us)
		return;
	margin_us = deadline_of_byte_us(stream, stream->sent_bytes) - now_us;
	if (margin_us < 0) {
		stream->missed = true;
		ca->alpha_milli = NEW_RENO_ALPHA;
		ca->beta_milli = NEW_RENO_BETA;
	} else if (stream->moves_beta) {
		ca->beta_milli = deadline_decide(stream, now_us, stream->sent_bytes, got_bps,
						 ca->beta_milli, &deadline_beta);
	} else {
		ca->alpha_milli = deadline_decide(stream, now_us, stream->sent_bytes, got_bps,
						  ca->alpha_milli, &deadline_alpha);
	}
	trace_aimd_decided(sk, margin_us, got_bps, ca->alpha_milli, ca->beta_milli);
}

static void aimd_in_ack_event(struct sock *sk, u32 flags)
{
	decide(sk);
}

/* Whole segments of alpha * cwnd are reno's own count; else fixed point. */
static void grow(struct sock *sk, u32 acked)
{
	struct aimd *ca = inet_csk_ca(sk);
	struct tcp_sock *tp = tcp_sk(sk);
	s64 whole;

	if (ca->alpha_milli == NEW_RENO_ALPHA) {
		tcp_cong_avoid_ai(tp, tcp_snd_cwnd(tp), acked);
		return;
	}
	ca->remainder += div64_u64((u64)acked * 1000 << 32,
				   (u64)ca->alpha_milli * tcp_snd_cwnd(tp));
	whole = ca->remainder >> 32;
	ca->remainder &= 0xffffffffll;
	tcp_snd_cwnd_set(tp, min_t(u64, tcp_snd_cwnd(tp) + whole, tp->snd_cwnd_clamp));
}

static void aimd_cong_avoid(struct sock *sk, u32 ack, u32 acked)
{
	struct tcp_sock *tp = tcp_sk(sk);

	if (!tcp_is_cwnd_limited(sk))
		return;
	if (tcp_in_slow_start(tp)) {
		acked = tcp_slow_start(tp, acked);
		if (!acked)
			return;
	}
	grow(sk, acked);
}

static u32 aimd_ssthresh(struct sock *sk)
{
	struct aimd *ca = inet_csk_ca(sk);
	u32 cwnd = tcp_snd_cwnd(tcp_sk(sk));

	ca->loss_cwnd = cwnd;
	ca->remainder = 0;
	return max_t(u32, (u64)cwnd * (1000 - ca->beta_milli) / 1000, 2u);
}

/* One hook gives ssthresh for losses and timeouts; a timeout says so right after. */
static void aimd_cwnd_event(struct sock *sk, enum tcp_ca_event event)
{
	const struct aimd *ca = inet_csk_ca(sk);

	if (event == CA_EVENT_LOSS)
		WRITE_ONCE(tcp_sk(sk)->snd_ssthresh, max(ca->loss_cwnd >> 1, 2u));
}

static struct tcp_congestion_ops aimd __read_mostly = {
	.name		= "aimd",
	.owner		= THIS_MODULE,
	.flags		= TCP_CONG_NON_RESTRICTED,
	.init		= aimd_init,
	.ssthresh	= aimd_ssthresh,
	.cong_avoid	= aimd_cong_avoid,
	.undo_cwnd	= tcp_reno_undo_cwnd,
	.in_ack_event	= aimd_in_ack_event,
	.cwnd_event	= aimd_cwnd_event,
};

static int __init aimd_register(void)
{
	BUILD_BUG_ON(sizeof(struct aimd) > ICSK_CA_PRIV_SIZE);
	return tcp_register_congestion_control(&aimd) ?: aimd_watch_requests(&aimd);
}
module_init(aimd_register);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("AIMD with parameters per socket, chosen by deadlines where told");
