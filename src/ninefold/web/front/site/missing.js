// What stands at an address that has no page.
import { html } from "../vendor/preact-htm.js";
import { Frame, mount } from "./frame.js";

mount(html`<${Frame} title="There is no such page">
  <main id="main" class="welcome">
    <p>The address is not complete, or the page has moved.</p>
    <div><a class="button main" href="/">Go to Play</a></div>
  </main>
</${Frame}>`);
