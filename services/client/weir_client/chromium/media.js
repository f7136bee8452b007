// The video element as the page watches it: what is buffered, how it stalls, and its own events.
'use strict';
const video = document.getElementById('video');
const zeroMs = told.epochUnixS * 1000 - performance.timeOrigin;
// ms of performance.now() -> s of the experiment.
const since = (ms) => (ms - zeroMs) / 1000;
const events = [];

const media = (() => {
  const NOTED = ['loadedmetadata', 'playing', 'waiting', 'stalled', 'seeking', 'seeked', 'ratechange', 'pause', 'ended', 'error']; // prettier-ignore
  const FUZZ_S = 0.1; // a first picture may come so much after the position that it is played from

  // Up to where media is there from `at` on, in s of the film; `at` where there is none.
  function endOf(ranges, at) {
    const found = ranges.find(([from, to]) => from <= at + FUZZ_S && at < to);
    return found ? found[1] : at;
  }

  function ranges() {
    const { buffered } = video;
    return Array.from(buffered, (_, i) => [buffered.start(i), buffered.end(i)]);
  }

  // Media in s that can be played on from here.
  const aheadS = () => endOf(ranges(), video.currentTime) - video.currentTime;

  // The same once a segment is appended, which may replace one of another level.
  function aheadWith(start, end) {
    const at = video.currentTime;
    const others = ranges();
    const before = endOf(others, at);
    if (start > before + FUZZ_S || end <= before) return before - at;
    return endOf(others, end) - at;
  }

  // All stalls so far, in s; the wait for the start is none.
  let begun = false;
  let endedMs = 0; // together, of stalls that are over
  let sinceMs = NaN;
  const stalledS = () =>
    (endedMs + (Number.isNaN(sinceMs) ? 0 : performance.now() - sinceMs)) / 1000;
  video.addEventListener('playing', () => {
    endedMs = stalledS() * 1000;
    sinceMs = NaN;
    begun = true;
  });
  video.addEventListener('waiting', () => {
    if (begun && Number.isNaN(sinceMs)) sinceMs = performance.now();
  });

  const plays = () => !video.paused && !video.seeking && video.readyState >= video.HAVE_FUTURE_DATA;
  for (const name of NOTED)
    video.addEventListener(name, () => {
      events.push({
        t_s: since(performance.now()),
        event: 'media',
        name,
        media_s: video.currentTime,
        speed: plays() ? video.playbackRate : 0,
        buffer_s: aheadS(),
      });
    });

  return { aheadS, aheadWith, stalledS };
})();
