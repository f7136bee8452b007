import { Text, Tooltip } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { useTeam } from "#/shared/session/session";
import classes from "./searched.module.css";
import {
  foundOf,
  nameOf,
  placeOf,
  trialText,
  VERDICTS,
  verdictsOf,
  type Subject,
  type Told,
  type Trial,
} from "./words";

const percent = (share: number): string => `${(100 * share).toFixed(2)}%`;

interface DotProps {
  trial: Trial;
  at: number;
  /** Beyond the found level, and it fails: not to be hidden by those that pass. */
  exception: boolean;
  told: Told;
}

function Dot({ trial, at, exception, told }: DotProps): ReactElement {
  const team = useTeam();
  const [run] = trial.runs;
  const style = { left: percent(at), zIndex: exception ? 1 : undefined };
  const shape = <span className={classes.dot} data-verdict={trial.verdict} />;
  const text = trialText(trial, told.metric);
  return (
    <Tooltip label={text}>
      {run === undefined ? (
        <span className={classes.place} style={style} role="img" aria-label={text}>
          {shape}
        </span>
      ) : (
        <Link
          to="/teams/$team/runs/$run"
          params={{ team, run: String(run.id) }}
          className={classes.place}
          style={style}
          aria-label={text}
        >
          {shape}
        </Link>
      )}
    </Tooltip>
  );
}

/** A subject's levels on one axis: those that pass and fail, and where the found one still is. */
function Row({ subject, told }: { subject: Subject; told: Told }): ReactElement {
  const at = placeOf(told);
  const { fails_at: fails, passes_at: passes, level } = subject;
  const ends = [fails, passes].flatMap((end) => (end === null ? [] : [at(end.number)]));
  const narrowed = subject.state === "searching" && ends.length === 2;
  return (
    <>
      <div className={classes.name}>{nameOf(subject)}</div>
      <div className={classes.axis}>
        {narrowed && (
          <div
            className={classes.between}
            style={{
              left: percent(Math.min(...ends)),
              width: percent(Math.max(...ends) - Math.min(...ends)),
            }}
          />
        )}
        {level !== null && (
          <div className={classes.found} style={{ left: percent(at(level.number)) }} />
        )}
        {subject.trials.map((trial) => (
          <Dot
            key={trial.level.text}
            trial={trial}
            at={at(trial.level.number)}
            exception={subject.exceptions.some(({ text }) => text === trial.level.text)}
            told={told}
          />
        ))}
      </div>
      <Text
        className={classes.told}
        data-state={subject.state}
        lineClamp={3}
        title={subject.reason}
      >
        {foundOf(subject)}
      </Text>
    </>
  );
}

/** A row for each subject of a search, on the axis of the factor that is searched. */
export function Narrowing({ told }: { told: Told }): ReactElement {
  return (
    <div className={classes.rows}>
      {told.subjects.map((subject) => (
        <Row key={nameOf(subject)} subject={subject} told={told} />
      ))}
      <div className={classes.corner} />
      <div className={classes.scale}>
        <span>{told.low.text}</span>
        <span className={classes.legend}>
          {verdictsOf(told).map((verdict) => (
            <span key={verdict} className={classes.meaning}>
              <span className={classes.dot} data-verdict={verdict} /> {VERDICTS[verdict]}
            </span>
          ))}
        </span>
        <span>{told.high.text}</span>
      </div>
      <div className={classes.corner} />
    </div>
  );
}
