import "@fontsource-variable/inter";
import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "#/shared/theme/global.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "#/app/App";

// What locks the page's scrolling behind a dialog writes a style sheet, with the nonce found here.
Object.assign(globalThis, {
  __webpack_nonce__: document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce,
});

const holder = document.getElementById("root");
if (holder === null) throw new Error("index.html has no #root");
createRoot(holder).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
