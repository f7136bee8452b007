// SPDX-License-Identifier: GPL-2.0
/* The recorder's ACK, FLOW and RETRANS records. */
#include <net/tcp.h>
#include <trace/events/tcp.h>

#include "recorder.h"

#define SENDER_PORT	80
#define MAX_FLOWS	1024

static struct { __be32 addr; __be16 port; } flows[MAX_FLOWS];
static unsigned int flow_count;

static void describe_flow(const struct sock *sk)
{
	const struct inet_sock *inet = inet_sk(sk);
	struct weir_record *r;
	unsigned int i;

	for (i = flow_count; i-- > 0;)
		if (flows[i].port == inet->inet_dport && flows[i].addr == inet->inet_daddr)
			return;
	if (flow_count == MAX_FLOWS)
		return;
	flows[flow_count].addr = inet->inet_daddr;
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
}

static bool is_sender(const struct sock *sk)
{
	return sk->sk_family == AF_INET && inet_sk(sk)->inet_sport == htons(SENDER_PORT);
}

static void on_ack(void *data, struct sock *sk, const struct sk_buff *skb)
{
	const struct tcp_sock *tp = tcp_sk(sk);
	struct weir_record *r;

	if (!is_sender(sk))
		return;
	describe_flow(sk);
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

	if (!is_sender(sk))
		return;
	r = recorder_append();
	memset(r, 0, sizeof(*r));
	r->t_ns = recorder_now_ns();
	r->kind = REC_RETRANS;
	r->port = inet_sk(sk)->inet_dport;
	r->addr = inet_sk(sk)->inet_daddr;
	r->retrans.seq = TCP_SKB_CB(skb)->seq;
	r->retrans.len = TCP_SKB_CB(skb)->end_seq - TCP_SKB_CB(skb)->seq;
}

int recorder_watch_tcp(void)
{
	return register_trace_tcp_probe(on_ack, NULL) ?:
	       register_trace_tcp_retransmit_skb(on_retransmit, NULL);
}
