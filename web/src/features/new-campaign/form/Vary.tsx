import { ActionIcon, Tooltip } from "@mantine/core";
import { IconArrowsSplit2 } from "@tabler/icons-react";
import type { ReactElement } from "react";
import { wordsOf } from "#/shared/levels/factor";
import type { Path } from "../yamlText";
import { useForm } from "./context";
import classes from "./form.module.css";

interface VaryProps {
  /** In the experiment. */
  path: Path;
  name: string;
  /** That the factor begins with. */
  level: unknown;
}

/** Makes a factor of a field, or of a part as a whole. */
export function Vary({ path, name, level }: VaryProps): ReactElement {
  const { vary } = useForm();
  return (
    <Tooltip label={`Vary ${name}: make it a factor`}>
      <ActionIcon
        size="xs"
        className={classes.vary}
        aria-label={`Vary ${wordsOf(path).join(" ")}`}
        onClick={() => vary(path, level)}
      >
        <IconArrowsSplit2 size={13} />
      </ActionIcon>
    </Tooltip>
  );
}
