// What a source buffer reads of fragmented MP4 (ISO/IEC 14496-12): when a segment plays.
'use strict';

const HEADER_BYTES = 8;
// Boxes that hold others, on the way to those that are read.
const WITHIN = new Set(['moov', 'trak', 'mdia', 'moof', 'traf']);

// Yields [type, content] of each box, also of those within others; of media data, which may not be
// there, nothing.
function* boxes(view, from = 0, to = view.byteLength) {
  for (let at = from; at + HEADER_BYTES <= to; ) {
    const end = at + view.getUint32(at);
    const type = String.fromCharCode(...[4, 5, 6, 7].map((i) => view.getUint8(at + i)));
    if (end <= at || end > to) return;
    const content = new DataView(view.buffer, view.byteOffset + at + 8, end - at - 8);
    if (type !== 'mdat') yield [type, content];
    if (WITHIN.has(type)) yield* boxes(view, at + HEADER_BYTES, end);
    at = end;
  }
}

// {timescale} of an initialization segment, {start, duration} of a media segment, or of chunks that
// follow each other, in its timescale; duration: of samples that all last as long (section 8.8.7,
// default-sample-duration).
function times(bytes) {
  const found = {};
  for (const [type, content] of boxes(new DataView(bytes))) {
    if (type === 'mdhd') found.timescale = content.getUint32(content.getUint8(0) ? 20 : 12);
    if (type === 'tfdt')
      found.start ??= content.getUint8(0) ? Number(content.getBigUint64(4)) : content.getUint32(4);
    if (type === 'tfhd') found.sample = content.getUint32(8);
    if (type === 'trun')
      found.duration = (found.duration ?? 0) + found.sample * content.getUint32(4);
  }
  return found;
}

module.exports = { times };
