import type { ReactElement } from "react";

/** Water that goes over a weir, and the name. */
export function Logo(): ReactElement {
  return (
    <svg width="76" height="24" viewBox="0 0 76 24" aria-hidden="true">
      <g fill="none" strokeLinecap="round">
        <path
          d="M2 8h7c4 0 3 8 7 8h6"
          stroke="var(--mantine-primary-color-filled)"
          strokeWidth="2.6"
        />
        <path d="M2 13h4M17.5 20h4.5" stroke="var(--weir-line)" strokeWidth="1.9" />
        <path d="M11 10.5v10.5" stroke="var(--weir-text)" strokeWidth="2.6" />
      </g>
      <text
        x="30"
        y="17.5"
        fontSize="17"
        fontWeight="650"
        letterSpacing="-0.3"
        fill="var(--weir-text)"
        fontFamily="inherit"
      >
        Weir
      </text>
    </svg>
  );
}
