// What dash.js's own rules decide on a given film and link; writes dashjs-5.2.1.json beside itself.
//
// The npm package carries its sources in dist/modern/umd/dash.mediaplayer.debug.js.map. Its
// ABRRulesCollection, ThroughputRule, BolaRule, InsufficientBufferRule, SwitchHistoryRule,
// SwitchRequestHistory, ThroughputController and ThroughputModel run as they are; stubs stand for
// the player around them: buffer, clock, ladder, and AbrController (its hysteresis between
// throughput and BOLA is five lines and repeated here). Run by hand, Node 20:
//   npm install --ignore-scripts dashjs@5.2.1 && node dashjs-5.2.1.mjs
import {BUFFER_S, LATENCY_MS, LINKS, SEGMENT_S, downloaded, sourcesOf, write} from './sessions.mjs';

const load = sourcesOf('dist/modern/umd/dash.mediaplayer.debug.js.map');
globalThis.window = globalThis;

const FactoryMaker = await load('core/FactoryMaker.js');
const Settings = await load('core/Settings.js');
const EventBus = await load('core/EventBus.js');
const Events = await load('core/events/Events.js');
const MediaPlayerEvents = await load('streaming/MediaPlayerEvents.js');
const ABRRulesCollection = await load('streaming/rules/abr/ABRRulesCollection.js');
const ThroughputController = await load('streaming/controllers/ThroughputController.js');
const SwitchRequestHistory = await load('streaming/rules/SwitchRequestHistory.js');
const RulesContext = await load('streaming/rules/RulesContext.js');

const realNow = Date.now;

function session(rule, ladder, link, count) {
    const context = {};
    const settings = Settings(context).getInstance();
    const rules = settings.get().streaming.abr.rules;
    for (const name of Object.keys(rules)) {
        rules[name].active = ['throughputRule', 'bolaRule', 'insufficientBufferRule',
            'switchHistoryRule'].includes(name);
    }
    const eventBus = EventBus(context).getInstance();
    const streamInfo = {id: 's', manifestInfo: {isDynamic: false}};
    const mediaInfo = {id: 'm', type: 'video', streamInfo};
    const reps = ladder.map((bps, i) => ({
        id: String(i), absoluteIndex: i, bandwidth: bps, bitrateInKbit: bps / 1000, mediaInfo,
        fragmentDuration: SEGMENT_S,
    }));
    let now = 0, buffer = 0, playing = false, stalled = 0, delayMs = 0, current;
    Date.now = () => now;
    const best = (kbit) => reps.filter((r) => r.bitrateInKbit <= kbit).at(-1) || reps[0];
    const abrController = {
        getPossibleVoRepresentationsFilteredBySettings: () => reps,
        getOptimalRepresentationForBitrate: (_, kbit) => best(kbit),
        isPlayingAtTopQuality: (r) => r.id === reps.at(-1).id,
        getAbandonmentStateFor: () => 'allowload',
    };
    FactoryMaker.setSingletonInstance(context, 'AbrController', abrController);
    const playbackController = {getIsDynamic: () => false, getLowLatencyModeEnabled: () => false};
    const throughputController = ThroughputController(context).getInstance();
    throughputController.setConfig({settings, playbackController});
    throughputController.initialize();
    const dashMetrics = {
        getCurrentBufferLevel: () => buffer,
        getCurrentBufferState: () => ({state: playing ? 'bufferLoaded' : 'bufferStalled'}),
    };
    const collection = ABRRulesCollection(context).create({
        dashMetrics, settings, mediaPlayerModel: {getBufferTimeDefault: () => BUFFER_S},
        customParametersModel: {getAbrCustomRules: () => []},
    });
    collection.initialize();
    const history = SwitchRequestHistory(context).create();
    const scheduleController = {
        setTimeToLoadDelay: (ms) => { delayMs = ms; },
        getPlaybackController: () => playbackController,
    };

    const play = (until) => {
        let passed = (until - now) / 1000;
        now = until;
        if (!playing) {
            if (steps.length) { stalled += passed; }
            return;
        }
        if (passed >= buffer) {
            stalled += passed - buffer;
            buffer = 0;
            playing = false;
            eventBus.trigger(MediaPlayerEvents.BUFFER_EMPTY, {mediaType: 'video', streamId: 's'});
        } else {
            buffer -= passed;
        }
    };

    const steps = [];
    current = best(1000);  // AbrController's default for the first segment, in kbit/s
    for (let k = 0; k < count; k += 1) {
        const full = BUFFER_S - SEGMENT_S;
        if (buffer > full) { play(now + Math.ceil((buffer - full) * 1000)); }
        const bola = collection.getBolaState('video');
        const on = settings.get().streaming.abr.hybridSwitchBufferTime;
        collection.setBolaState('video', rule === 'bola' ||
            (rule === 'dynamic' && buffer >= (bola ? 0.5 * on : on)));
        delayMs = 0;
        const ctx = RulesContext(context).create({
            abrController, throughputController, switchRequestHistory: history,
            streamProcessor: {
                getScheduleController: () => scheduleController,
                getRepresentation: () => current,
            },
        });
        const asked = collection.getBestPossibleSwitchRequest(ctx);
        const next = asked.representation || current;
        if (asked.representation) {
            history.push({currentRepresentation: current, newRepresentation: next});
        }
        const average = throughputController.getAverageThroughput('video');
        const step = {now, buffer, playing, stalled, level: next.absoluteIndex,
            average: Number.isNaN(average) ? null : average, delay: Math.round(delayMs)};
        current = next;
        if (delayMs > 0) { play(now + step.delay); }
        const bytes = Math.round(current.bandwidth * SEGMENT_S / 8);
        const request = now, first = now + LATENCY_MS;
        const last = downloaded(link, first, bytes * 8);
        play(last);
        eventBus.trigger(MediaPlayerEvents.METRIC_ADDED, {
            metric: 'HttpList', mediaType: 'video', value: {
                type: 'MediaSegment', _streamId: 's', url: 'u', trace: [{d: 0, b: [0]}],
                trequest: new Date(request), tresponse: new Date(first), _tfinish: new Date(last),
                _resourceTimingValues: {transferSize: bytes, decodedBodySize: bytes,
                    responseStart: first, responseEnd: last},
            },
        });
        eventBus.trigger(Events.MEDIA_FRAGMENT_LOADED, {
            streamId: 's', mediaType: 'video',
            chunk: {representation: current, start: k * SEGMENT_S, duration: SEGMENT_S},
        });
        buffer += SEGMENT_S;
        playing = true;
        eventBus.trigger(Events.BYTES_APPENDED_END_FRAGMENT,
            {mediaType: 'video', startTime: k * SEGMENT_S});
        steps.push({...step, request, first, last, bytes});
    }
    Date.now = realNow;
    return steps;
}

write('5.2.1', ['throughput', 'bola', 'dynamic'], LINKS, session);
