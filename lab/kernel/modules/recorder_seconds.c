// SPDX-License-Identifier: GPL-2.0
/*
 * What the recorder sums up while the kernel runs: SENDER and CROSSING records by the second, BIN
 * records by 10 ms.
 *
 * A row is filled in place and written once its time is over: at the next event after it. Where
 * more flows are active in one second than there are rows, all are written and begun anew, so that
 * a flow may have two rows of a second; nothing is lost.
 *
 * BIN's busy packets left back to back, from which the link's rate follows: the one after each had
 * come before the one ahead of it left, so that the token bucket was empty. busy_ns is the time
 * that they took.
 */
#include <linux/hashtable.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <linux/vmalloc.h>

#include "recorder.h"

#define MAX_ROWS	2048
#define BIN_NS		(10 * NSEC_PER_MSEC)

struct row {
	struct hlist_node node;
	u64 key;
	struct weir_record record;
};

static DEFINE_HASHTABLE(rows_by_key, 11);
static struct row *rows;
static unsigned int row_count;
static u64 second_ns;		/* start of the second that the rows are of */

static struct device {
	struct weir_record bin;		/* kind 0: none is begun */
	u64 left_ns[2];			/* the last departures, newest first; 0: none */
	u32 size;			/* bytes of the newest */
} devices[10];

static void write_rows(void)
{
	unsigned int i;

	for (i = 0; i < row_count; i++)
		*recorder_append() = rows[i].record;
	row_count = 0;
	hash_init(rows_by_key);
}

struct weir_record *recorder_second(u64 now_ns, u8 kind, u8 device, __be32 addr, __be16 port)
{
	u64 key = (u64)kind << 56 | (u64)device << 48 | (u64)(__force u16)port << 32 |
		  (__force u32)addr;
	struct row *row;

	if (now_ns - second_ns >= NSEC_PER_SEC) {
		write_rows();
		second_ns = now_ns - now_ns % NSEC_PER_SEC;
	}
	hash_for_each_possible(rows_by_key, row, node, key)
		if (row->key == key)
			return &row->record;
	if (row_count == MAX_ROWS)
		write_rows();
	row = &rows[row_count++];
	memset(row, 0, sizeof(*row));
	row->key = key;
	row->record.t_ns = second_ns;
	row->record.kind = kind;
	row->record.state = device;
	row->record.addr = addr;
	row->record.port = port;
	hash_add(rows_by_key, &row->node, key);
	return &row->record;
}

static struct weir_record *bin_of(u64 now_ns, u8 device)
{
	struct weir_record *bin = &devices[device].bin;

	if (bin->kind && now_ns - bin->t_ns < BIN_NS)
		return bin;
	if (bin->kind)
		*recorder_append() = *bin;
	memset(bin, 0, sizeof(*bin));
	bin->t_ns = now_ns - now_ns % BIN_NS;
	bin->kind = REC_BIN;
	bin->state = device;
	return bin;
}

void recorder_bin_arrival(u64 now_ns, u8 device, u32 backlog)
{
	struct weir_record *bin = bin_of(now_ns, device);

	bin->bin.backlog_max = max(bin->bin.backlog_max, backlog);
}

void recorder_bin_leave(const struct weir_record *packet)
{
	struct weir_record *bin = bin_of(packet->t_ns, packet->packet.device);
	struct device *device = &devices[packet->packet.device];

	if (packet->state == FATE_DROPPED)
		bin->bin.dropped++;
	if (packet->state != FATE_SENT)
		return;
	bin->bin.sent++;
	bin->bin.sent_bytes += packet->packet.size;
	if (device->left_ns[1] && packet->packet.arrival_ns < device->left_ns[1]) {
		bin->bin.busy_packets++;
		bin->bin.busy_bytes += device->size;
		bin->bin.busy_ns += packet->t_ns - device->left_ns[0];
	}
	device->left_ns[1] = device->left_ns[0];
	device->left_ns[0] = packet->t_ns;
	device->size = packet->packet.size;
}

int recorder_start_seconds(void)
{
	rows = vcalloc(MAX_ROWS, sizeof(*rows));
	return rows ? 0 : -ENOMEM;
}

void recorder_end_seconds(void)
{
	int i;

	if (!rows)
		return;
	write_rows();
	for (i = 0; i < ARRAY_SIZE(devices); i++)
		if (devices[i].bin.kind)
			*recorder_append() = devices[i].bin;
}
