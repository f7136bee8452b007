import "@fontsource-variable/inter";
import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "#/shared/theme/global.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "#/app/App";

const holder = document.getElementById("root");
if (holder === null) throw new Error("index.html has no #root");
createRoot(holder).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
