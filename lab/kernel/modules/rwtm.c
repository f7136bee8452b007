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
#include <linux/timekeeping.h>
#include <net/net_namespace.h>
#include <net/netns/generic.h>

#include "rwtm.h"

#define SERVER_PORT	80

struct rwtm_net {
	struct list_head sessions;
	bool hooked;
};

static unsigned int rwtm_net_id;

static struct rwtm_session *find(struct rwtm_net *rn, __be32 addr, __be16 port)
{
	struct rwtm_session *s;

	list_for_each_entry(s, &rn->sessions, list)
		if (s->addr == addr && s->port == port)
			return s;
	return NULL;
}

static struct rwtm_session *find_or_add(struct rwtm_net *rn, __be32 addr, __be16 port)
{
	struct rwtm_session *s = find(rn, addr, port);

	if (s)
		return s;
	s = kzalloc(sizeof(*s), GFP_ATOMIC);
	if (!s)
		return NULL;
	s->addr = addr;
	s->port = port;
	s->scale = RWTM_NO_SCALE;
	list_add(&s->list, &rn->sessions);
	return s;
}

static void from_client(struct rwtm_net *rn, struct sk_buff *skb, struct iphdr *ip,
			struct tcphdr *th, u64 now)
{
	u32 payload = ntohs(ip->tot_len) - ip->ihl * 4 - th->doff * 4;
	struct rwtm_session *s;

	s = th->syn ? find_or_add(rn, ip->saddr, th->source) : find(rn, ip->saddr, th->source);
	if (!s)
		return;
	rwtm_from_client(s, skb, th, payload, now);
	if (!th->syn && (th->fin || th->rst)) {
		list_del(&s->list);
		kfree(s);
	}
}

static void from_server(struct rwtm_net *rn, struct iphdr *ip, struct tcphdr *th, u64 now)
{
	struct rwtm_session *s = find(rn, ip->daddr, th->dest);

	if (s)
		rwtm_from_server(s, th, now);
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
	struct rwtm_session *s;
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
			rwtm_start_on_period(s);
	}
	local_bh_enable();
	return s ? size : -ENOMEM;
}

static int show_sessions(struct seq_file *out, void *unused)
{
	struct rwtm_net *rn = net_generic(seq_file_single_net(out), rwtm_net_id);
	struct rwtm_session *s;

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
	struct rwtm_session *s, *next;

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
