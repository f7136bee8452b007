// SPDX-License-Identifier: GPL-2.0
/*
 * Receive window tuning (RWTM) at a gateway.
 *
 * Ameur, Mory, Cousin, "Evaluation of gateway-based shaping methods for HTTP adaptive
 * streaming", and its sequel of 2018: a gateway holds a streaming session to a rate by
 * lowering the window that the client advertises to rate * RTT. Nothing is queued or
 * dropped; the server sends no faster because it may not.
 *
 * The window is set once per ON period: the client's request starts it, and the RTT is
 * the mean of what was seen since the request before. RTT is measured passively with
 * TCP timestamps (RFC 7323), at the gateway, as the sum of two halves:
 *   server half: an ACK's TSval on its way up, until a segment echoes it on its way down
 *   client half: a segment's TSval on its way down, until an ACK echoes it on its way up
 * Each half is timed from the first packet that carries a TSval to the first that
 * echoes it. The handshake gives the first value.
 *
 * The window is never raised, and a SYN's is left alone (it carries the scale that all
 * later ones are read with).
 *
 * Control, in the gateway's network namespace:
 *   echo "CLIENT PORT RATE" > /proc/net/rwtm	RATE in bit/s, 0 lifts the limit
 *   cat /proc/net/rwtm				CLIENT PORT RATE RTT_us WINDOW SCALE TUNED
 */
#include <linux/inet.h>
#include <linux/init.h>
#include <linux/ip.h>
#include <linux/module.h>
#include <linux/netfilter_ipv4.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/tcp.h>
#include <linux/timekeeping.h>
#include <linux/unaligned.h>
#include <net/net_namespace.h>
#include <net/netns/generic.h>
#include <net/tcp.h>

#define SERVER_PORT	80
#define STAMPS		256	/* TSvals in flight per direction; a power of two */
#define NO_SCALE	0xff

struct half {
	struct { u32 tsval; u64 sent_ns; } stamps[STAMPS];
	u32 last_tsval;
	u64 sum_ns;		/* of the samples since the last request */
	u32 samples;
	u64 rtt_ns;		/* what the window is computed with */
};

struct session {
	struct list_head list;
	__be32 addr;
	__be16 port;
	u8 scale;
	u64 rate_bps;
	u32 window;		/* bytes; 0: untouched */
	u64 tuned;		/* ACKs whose window was lowered */
	u64 syn_ns, synack_ns;
	struct half server, client;
};

struct rwtm_net {
	struct list_head sessions;
	bool hooked;
};

static unsigned int rwtm_net_id;

static struct session *find(struct rwtm_net *rn, __be32 addr, __be16 port)
{
	struct session *s;

	list_for_each_entry(s, &rn->sessions, list)
		if (s->addr == addr && s->port == port)
			return s;
	return NULL;
}

static struct session *find_or_add(struct rwtm_net *rn, __be32 addr, __be16 port)
{
	struct session *s = find(rn, addr, port);

	if (s)
		return s;
	s = kzalloc(sizeof(*s), GFP_ATOMIC);
	if (!s)
		return NULL;
	s->addr = addr;
	s->port = port;
	s->scale = NO_SCALE;
	list_add(&s->list, &rn->sessions);
	return s;
}

static void stamp(struct half *h, u32 tsval, u64 now)
{
	if (tsval == h->last_tsval)
		return;
	h->last_tsval = tsval;
	h->stamps[tsval % STAMPS].tsval = tsval;
	h->stamps[tsval % STAMPS].sent_ns = now;
}

static void echo(struct half *h, u32 tsecr, u64 now)
{
	u64 *sent_ns = &h->stamps[tsecr % STAMPS].sent_ns;

	if (h->stamps[tsecr % STAMPS].tsval != tsecr || !*sent_ns)
		return;
	h->sum_ns += now - *sent_ns;
	h->samples++;
	*sent_ns = 0;	/* only the first echo: a later one waited for new data */
}

static void settle(struct half *h)
{
	if (!h->samples)
		return;
	h->rtt_ns = div_u64(h->sum_ns, h->samples);
	h->sum_ns = 0;
	h->samples = 0;
}

static void start_on_period(struct session *s)
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

static void tune(struct session *s, struct sk_buff *skb, struct tcphdr *th)
{
	u32 scaled = max_t(u32, s->window >> s->scale, 1);
	__be16 lowered = htons(min_t(u32, scaled, ntohs(th->window)));

	if (!s->rate_bps || !s->window || s->scale == NO_SCALE || lowered == th->window)
		return;
	inet_proto_csum_replace2(&th->check, skb, th->window, lowered, false);
	th->window = lowered;
	s->tuned++;
}

static void from_client(struct rwtm_net *rn, struct sk_buff *skb, struct iphdr *ip,
			struct tcphdr *th, u64 now)
{
	u32 payload = ntohs(ip->tot_len) - ip->ihl * 4 - th->doff * 4;
	u32 tsval = 0, tsecr = 0;
	u8 scale = 0;
	struct session *s;

	s = th->syn ? find_or_add(rn, ip->saddr, th->source) : find(rn, ip->saddr, th->source);
	if (!s)
		return;
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
		start_on_period(s);
	stamp(&s->server, tsval, now);
	tune(s, skb, th);
	if (th->fin || th->rst) {
		list_del(&s->list);
		kfree(s);
	}
}

static void from_server(struct rwtm_net *rn, struct iphdr *ip, struct tcphdr *th, u64 now)
{
	struct session *s = find(rn, ip->daddr, th->dest);
	u32 tsval = 0, tsecr = 0;
	u8 scale = 0;

	if (!s)
		return;
	read_options(th, &scale, &tsval, &tsecr);
	if (th->syn) {
		s->server.rtt_ns = now - s->syn_ns;
		s->synack_ns = now;
		return;
	}
	echo(&s->server, tsecr, now);
	stamp(&s->client, tsval, now);
}

static unsigned int on_forward(void *priv, struct sk_buff *skb, const struct nf_hook_state *state)
{
	struct rwtm_net *rn = net_generic(state->net, rwtm_net_id);
	struct iphdr *ip = ip_hdr(skb);
	unsigned int headers = ip->ihl * 4;
	struct tcphdr *th;

	if (ip->protocol != IPPROTO_TCP || skb_ensure_writable(skb, headers + sizeof(*th)))
		return NF_ACCEPT;
	th = (struct tcphdr *)(skb->data + headers);
	if (skb_ensure_writable(skb, headers + th->doff * 4))
		return NF_ACCEPT;
	ip = ip_hdr(skb);
	th = (struct tcphdr *)(skb->data + headers);
	if (th->dest == htons(SERVER_PORT))
		from_client(rn, skb, ip, th, ktime_get_ns());
	else if (th->source == htons(SERVER_PORT))
		from_server(rn, ip, th, ktime_get_ns());
	return NF_ACCEPT;
}

static const struct nf_hook_ops forward_hook = {
	.hook = on_forward,
	.pf = NFPROTO_IPV4,
	.hooknum = NF_INET_FORWARD,
	.priority = NF_IP_PRI_MANGLE,
};

static int write_limit(struct file *f, char *line, size_t size)
{
	struct net *net = seq_file_single_net(f->private_data);
	struct rwtm_net *rn = net_generic(net, rwtm_net_id);
	unsigned int port;
	char addr[16];
	u64 rate_bps;
	struct session *s;
	int err;

	if (!rn->hooked) {
		err = nf_register_net_hook(net, &forward_hook);
		if (err)
			return err;
		rn->hooked = true;
	}
	if (!strncmp(line, "watch", 5))	/* start learning sessions, limit none */
		return size;
	if (sscanf(line, "%15s %u %llu", addr, &port, &rate_bps) != 3 || port > 65535)
		return -EINVAL;
	local_bh_disable();
	s = find_or_add(rn, in_aton(addr), htons(port));
	if (s) {
		bool first = !s->rate_bps;

		s->rate_bps = rate_bps;
		if (first)
			start_on_period(s);
	}
	local_bh_enable();
	return s ? size : -ENOMEM;
}

static int show_sessions(struct seq_file *out, void *unused)
{
	struct rwtm_net *rn = net_generic(seq_file_single_net(out), rwtm_net_id);
	struct session *s;

	list_for_each_entry(s, &rn->sessions, list)
		seq_printf(out, "%pI4 %u %llu %llu %u %u %llu\n", &s->addr, ntohs(s->port),
			   s->rate_bps,
			   div_u64(s->server.rtt_ns + s->client.rtt_ns, NSEC_PER_USEC),
			   s->window, s->scale, s->tuned);
	return 0;
}

static int __net_init rwtm_net_init(struct net *net)
{
	struct rwtm_net *rn = net_generic(net, rwtm_net_id);

	INIT_LIST_HEAD(&rn->sessions);
	if (!proc_create_net_single_write("rwtm", 0644, net->proc_net, show_sessions,
					  write_limit, NULL))
		return -ENOMEM;
	return 0;
}

static void __net_exit rwtm_net_exit(struct net *net)
{
	struct rwtm_net *rn = net_generic(net, rwtm_net_id);
	struct session *s, *next;

	remove_proc_entry("rwtm", net->proc_net);
	if (rn->hooked)
		nf_unregister_net_hook(net, &forward_hook);
	list_for_each_entry_safe(s, next, &rn->sessions, list)
		kfree(s);
}

static struct pernet_operations rwtm_net_ops = {
	.init = rwtm_net_init,
	.exit = rwtm_net_exit,
	.id = &rwtm_net_id,
	.size = sizeof(struct rwtm_net),
};

static int __init rwtm_init(void)
{
	return register_pernet_subsys(&rwtm_net_ops);
}
late_initcall(rwtm_init);
