// The page of a client: dash.js plays in it from the client's start on.
'use strict';
let player;
// What it expects of the network now, in bit/s; NaN before it knows.
const estimateBps = () => (player ? player.getAverageThroughput('video') * 1000 : NaN);

function chosen({ mediaType, oldRepresentation, newRepresentation, reason }) {
  if (mediaType !== 'video') return;
  events.push({
    t_s: since(performance.now()),
    event: 'level-chosen',
    level: Number(newRepresentation.id),
    level_before: oldRepresentation ? Number(oldRepresentation.id) : null,
    buffer_s: media.aheadS(),
    reason: reason ?? null,
  });
}

function begin() {
  began(String(since(performance.now()))); // which play.py hears
  const { options, bufferS } = told;
  // The experiment's `buffer`, unless its settings say otherwise.
  const buffer = {
    bufferTimeDefault: bufferS,
    bufferTimeAtTopQuality: bufferS,
    bufferTimeAtTopQualityLongForm: bufferS,
  };
  player = dashjs.MediaPlayer().create();
  player.updateSettings({ streaming: { buffer } });
  player.updateSettings(options.settings);
  player.on('qualityChangeRequested', chosen);
  player.on('error', ({ error }) => console.error(`dash.js: ${error.code} ${error.message}`));
  player.initialize(video, new URL('/manifest.mpd', location).href, true);
}

// A page's timeouts are of whole milliseconds; waits for shared memory, which nobody changes, are not.
const nothing = new Int32Array(new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }).buffer);
const leftMs = Math.max(0, told.startS * 1000 + zeroMs - performance.now());
Promise.resolve(Atomics.waitAsync(nothing, 0, 0, leftMs).value).then(begin);

// What play.py asks for at the client's stop.
function left() {
  const { totalVideoFrames, droppedVideoFrames } = video.getVideoPlaybackQuality();
  const frames = { frames: totalVideoFrames, dropped_frames: droppedVideoFrames };
  events.push({ t_s: since(performance.now()), event: 'frames', buffer_s: media.aheadS(), ...frames });
  return { rows: requests.rows(), events };
}
