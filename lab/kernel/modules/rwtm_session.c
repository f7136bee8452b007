// SPDX-License-Identifier: GPL-2.0
/* RTT seen at the gateway, and the window that follows from it. */
#include <linux/unaligned.h>
#include <net/tcp.h>

#include "rwtm.h"

static void stamp(struct rwtm_half *h, u32 tsval, u64 now)
{
	if (tsval == h->last_tsval)
		return;
	h->last_tsval = tsval;
	h->stamps[tsval % RWTM_STAMPS].tsval = tsval;
	h->stamps[tsval % RWTM_STAMPS].sent_ns = now;
}

static void echo(struct rwtm_half *h, u32 tsecr, u64 now)
{
	u64 *sent_ns = &h->stamps[tsecr % RWTM_STAMPS].sent_ns;

	if (h->stamps[tsecr % RWTM_STAMPS].tsval != tsecr || !*sent_ns)
		return;
	h->sum_ns += now - *sent_ns;
	h->samples++;
	*sent_ns = 0;	/* only the first echo: a later one waited for new data */
}

static void settle(struct rwtm_half *h)
{
	if (!h->samples)
		return;
	h->rtt_ns = div_u64(h->sum_ns, h->samples);
	h->sum_ns = 0;
	h->samples = 0;
}

void rwtm_start_on_period(struct rwtm_session *s)
{
	settle(&s->server);
	settle(&s->client);
	/* bits/s * ns / 8e9 in two steps that stay inside 64 bits */
	s->window = div_u64(div_u64(s->rate_bps, 8) * div_u64(s->server.rtt_ns + s->client.rtt_ns,
							      NSEC_PER_USEC), USEC_PER_SEC);
}

/* Options of a header that skb_ensure_writable() made linear. */
static void read_options(const struct tcphdr *th, u8 *scale, u32 *tsval, u32 *tsecr)
{
	const u8 *at = (const u8 *)(th + 1), *end = (const u8 *)th + th->doff * 4;

	while (at < end && *at != TCPOPT_EOL) {
		if (*at == TCPOPT_NOP) {
			at++;
			continue;
		}
		if (at + 2 > end || at[1] < 2 || at + at[1] > end)
			return;
		if (*at == TCPOPT_WINDOW && at[1] == TCPOLEN_WINDOW)
			*scale = at[2];
		if (*at == TCPOPT_TIMESTAMP && at[1] == TCPOLEN_TIMESTAMP) {
			*tsval = get_unaligned_be32(at + 2);
			*tsecr = get_unaligned_be32(at + 6);
		}
		at += at[1];
	}
}

static void tune(struct rwtm_session *s, struct sk_buff *skb, struct tcphdr *th)
{
	u32 scaled = max_t(u32, s->window >> s->scale, 1);
	__be16 lowered = htons(min_t(u32, scaled, ntohs(th->window)));

	if (!s->rate_bps || !s->window || s->scale == RWTM_NO_SCALE || lowered == th->window)
		return;
	inet_proto_csum_replace2(&th->check, skb, th->window, lowered, false);
	th->window = lowered;
	s->tuned++;
}

void rwtm_from_client(struct rwtm_session *s, struct sk_buff *skb, struct tcphdr *th,
		      u32 payload, u64 now)
{
	u32 tsval = 0, tsecr = 0;
	u8 scale = 0;

	read_options(th, &scale, &tsval, &tsecr);
	if (th->syn) {
		s->scale = scale;
		s->syn_ns = now;
		return;
	}
	if (s->synack_ns) {	/* the handshake's last ACK */
		s->client.rtt_ns = now - s->synack_ns;
		s->synack_ns = 0;
	}
	echo(&s->client, tsecr, now);
	if (payload)
		rwtm_start_on_period(s);
	stamp(&s->server, tsval, now);
	tune(s, skb, th);
}

void rwtm_from_server(struct rwtm_session *s, const struct tcphdr *th, u64 now)
{
	u32 tsval = 0, tsecr = 0;
	u8 scale = 0;

	read_options(th, &scale, &tsval, &tsecr);
	if (th->syn) {
		s->server.rtt_ns = now - s->syn_ns;
		s->synack_ns = now;
		return;
	}
	echo(&s->server, tsecr, now);
	stamp(&s->client, tsval, now);
}
