// SPDX-License-Identifier: GPL-2.0
/*
 * MPTCP for programs that know nothing of it: where a network namespace says so
 * (net.weir.mptcp_sockets=1), socket() makes an MPTCP socket of every one that would be TCP.
 *
 * nginx and Apache of today's distributions cannot ask for MPTCP. The kernel has a hook for this,
 * update_socket_protocol(), meant for BPF; a definition of our own takes the weak one's place.
 * Listeners fall back to plain TCP for clients that ask for that.
 */
#include <linux/module.h>
#include <linux/net.h>
#include <linux/nsproxy.h>
#include <linux/sysctl.h>
#include <net/net_namespace.h>
#include <net/netns/generic.h>

static unsigned int net_id;

struct mptcp_sockets {
	u8	on;
	struct ctl_table_header *header;
	struct ctl_table table[1];
};

int update_socket_protocol(int family, int type, int protocol)
{
	const struct mptcp_sockets *sockets = net_generic(current->nsproxy->net_ns, net_id);
	bool tcp = protocol == IPPROTO_IP || protocol == IPPROTO_TCP;

	if (READ_ONCE(sockets->on) && tcp && (type & SOCK_TYPE_MASK) == SOCK_STREAM &&
	    (family == AF_INET || family == AF_INET6))
		return IPPROTO_MPTCP;
	return protocol;
}

static int __net_init mptcp_sockets_init(struct net *net)
{
	struct mptcp_sockets *sockets = net_generic(net, net_id);

	sockets->table[0] = (struct ctl_table){
		.procname	= "mptcp_sockets",
		.data		= &sockets->on,
		.maxlen		= sizeof(sockets->on),
		.mode		= 0644,
		.proc_handler	= proc_dou8vec_minmax,
		.extra1		= SYSCTL_ZERO,
		.extra2		= SYSCTL_ONE,
	};
	sockets->header = register_net_sysctl_sz(net, "net/weir", sockets->table, 1);
	return sockets->header ? 0 : -ENOMEM;
}

static void __net_exit mptcp_sockets_exit(struct net *net)
{
	struct mptcp_sockets *sockets = net_generic(net, net_id);

	unregister_net_sysctl_table(sockets->header);
}

static struct pernet_operations operations = {
	.init	= mptcp_sockets_init,
	.exit	= mptcp_sockets_exit,
	.id	= &net_id,
	.size	= sizeof(struct mptcp_sockets),
};

static int __init mptcp_sockets_register(void)
{
	return register_pernet_subsys(&operations);
}
subsys_initcall(mptcp_sockets_register);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("MPTCP sockets by namespace");
