// SPDX-License-Identifier: GPL-2.0
/* The recorder's ACK, FLOW and RETRANS records, and by seconds its SENDER records. */
#include <net/tcp.h>
#include <trace/events/tcp.h>

#include "recorder.h"

#define SENDER_PORT	80
#define MAX_FLOWS	1024

static struct flow { __be32 addr; __be16 port; u32 mss; } flows[MAX_FLOWS];
static unsigned int flow_count;
static bool by_seconds;

static const struct flow *find_flow(const struct inet_sock *inet)
{
	unsigned int i;

	for (i = flow_count; i-- > 0;)
		if (flows[i].port == inet->inet_dport && flows[i].addr == inet->inet_daddr)
			return &flows[i];
	return NULL;
}

static void describe_flow(const struct sock *sk)
{
	const struct inet_sock *inet = inet_sk(sk);
	struct weir_record *r;

	if (find_flow(inet) || flow_count == MAX_FLOWS)
		return;
	flows[flow_count].addr = inet->inet_daddr;
	flows[flow_count].mss = tcp_sk(sk)->mss_cache;
	flows[flow_count++].port = inet->inet_dport;

	r = recorder_append();
	memset(r, 0, sizeof(*r));
	r->t_ns = recorder_now_ns();
	r->kind = REC_FLOW;
	r->port = inet->inet_dport;
	r->addr = inet->inet_daddr;
	strscpy(r->flow.congestion_control, inet_csk(sk)->icsk_ca_ops->name,
		sizeof(r->flow.congestion_control));
	r->flow.mss = tcp_sk(sk)->mss_cache;
	r->flow.ssthresh = tcp_current_ssthresh(sk);
	if (tcp_ecn_mode_accecn(tcp_sk(sk)))
		r->flow.ecn = TCPI_ECN_MODE_ACCECN;
	else if (tcp_ecn_mode_rfc3168(tcp_sk(sk)))
		r->flow.ecn = TCPI_ECN_MODE_RFC3168;
}

static bool is_sender(const struct sock *sk)
{
	return sk->sk_family == AF_INET && inet_sk(sk)->inet_sport == htons(SENDER_PORT);
}

/* The flow's row of now; NULL out of the experiment. */
static struct weir_record *sender_second(const struct sock *sk)
{
	u64 now_ns = recorder_now_ns();

	if (!recorder_within(now_ns))
		return NULL;
	return recorder_second(now_ns, REC_SENDER, 0, inet_sk(sk)->inet_daddr,
			       inet_sk(sk)->inet_dport);
}

static void count_ack(const struct sock *sk, const struct sk_buff *skb)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	struct weir_record *r = sender_second(sk);
	u32 srtt_us = tp->srtt_us >> 3, ack = TCP_SKB_CB(skb)->ack_seq;

	if (!r)
		return;
	r->state = inet_csk(sk)->icsk_ca_state;
	r->sender.cwnd = tcp_snd_cwnd(tp);
	r->sender.ssthresh = tcp_current_ssthresh(sk);
	if (after(ack, tp->snd_una) && !after(ack, tp->snd_nxt))
		r->sender.acked += ack - tp->snd_una;
	if (!srtt_us)
		return;
	r->sender.srtt_min_us = min(r->sender.srtt_min_us ?: U32_MAX, srtt_us);
	r->sender.srtt_sum_us += srtt_us;
	r->sender.acks++;
}

static void count_retransmit(const struct sock *sk, u32 bytes)
{
	const struct flow *flow = find_flow(inet_sk(sk));
	struct weir_record *r = sender_second(sk);

	if (r)
		r->sender.retransmits += flow ? max(1U, DIV_ROUND_UP(bytes, flow->mss)) : 1;
}

static void on_ack(void *data, struct sock *sk, const struct sk_buff *skb)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	struct weir_record *r;

	if (!is_sender(sk))
		return;
	describe_flow(sk);
	if (by_seconds) {
		count_ack(sk, skb);
		return;
	}
	r = recorder_append();
	r->t_ns = recorder_now_ns();
	r->kind = REC_ACK;
	r->state = inet_csk(sk)->icsk_ca_state;
	r->port = inet_sk(sk)->inet_dport;
	r->addr = inet_sk(sk)->inet_daddr;
	r->ack.cwnd = tcp_snd_cwnd(tp);
	r->ack.ssthresh = tcp_current_ssthresh(sk);
	r->ack.in_flight = tcp_packets_in_flight(tp);
	r->ack.srtt_us = tp->srtt_us >> 3;
	r->ack.rto_us = jiffies_to_usecs(inet_csk(sk)->icsk_rto);
	r->ack.rwnd = tp->snd_wnd;
	r->ack.una = tp->snd_una;
	r->ack.delivered = tp->delivered;
}

static void on_retransmit(void *data, const struct sock *sk, const struct sk_buff *skb, int err)
{
	struct weir_record *r;

	u32 bytes = TCP_SKB_CB(skb)->end_seq - TCP_SKB_CB(skb)->seq;

	if (!is_sender(sk))
		return;
	if (by_seconds) {
		count_retransmit(sk, bytes);
		return;
	}
	r = recorder_append();
	memset(r, 0, sizeof(*r));
	r->t_ns = recorder_now_ns();
	r->kind = REC_RETRANS;
	r->port = inet_sk(sk)->inet_dport;
	r->addr = inet_sk(sk)->inet_daddr;
	r->retrans.seq = TCP_SKB_CB(skb)->seq;
	r->retrans.len = bytes;
}

int recorder_watch_tcp(bool seconds)
{
	by_seconds = seconds;
	return register_trace_tcp_probe(on_ack, NULL) ?:
	       register_trace_tcp_retransmit_skb(on_retransmit, NULL);
}
