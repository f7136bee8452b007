// Ranges of media time, as [start, end] in s, ascending and apart; what a player sees of them.
'use strict';

// Segments whose edges lie this near together play as one.
const JOIN_S = 0.05;

// HTML, section 4.8.11.15.
class TimeRanges {
  constructor(ranges) {
    this._ranges = ranges;
  }
  get length() {
    return this._ranges.length;
  }
  start(index) {
    return this._ranges[index][0];
  }
  end(index) {
    return this._ranges[index][1];
  }
}

function add(ranges, start, end) {
  const joined = [];
  for (const [from, to] of [...ranges, [start, end]].sort((a, b) => a[0] - b[0])) {
    const last = joined.at(-1);
    if (last && from <= last[1] + JOIN_S) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined;
}

function cut(ranges, start, end) {
  return ranges
    .flatMap(([from, to]) => [
      [from, Math.min(to, start)],
      [Math.max(from, end), to],
    ])
    .filter(([from, to]) => to > from);
}

function common(one, other) {
  return one
    .flatMap(([from, to]) =>
      other.map(([start, end]) => [Math.max(from, start), Math.min(to, end)]),
    )
    .filter(([from, to]) => to > from);
}

// The end of the range that plays at `at`, or null.
function endOf(ranges, at) {
  const within = ranges.find(([from, to]) => at >= from - JOIN_S && at < to - 1e-6);
  return within ? within[1] : null;
}

module.exports = { TimeRanges, add, common, cut, endOf };
