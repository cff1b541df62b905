// Choosing a name.
import { html, useEffect, useState } from "../vendor/preact-htm.js";
import { rename, whoami } from "./ask.js";
import { Trouble } from "./frame.js";

/** A field for my name. The button also does what `then` does, after another name is saved. */
export function NameForm({ label, button = "Save", kind = "", then = () => {} }) {
  const [name, setName] = useState("");
  const [said, setSaid] = useState("");
  const [failure, setFailure] = useState(null);
  useEffect(() => {
    whoami().then((me) => setName(me.name), setFailure);
  }, []);
  const submit = async (event) => {
    event.preventDefault();
    setSaid("");
    setFailure(null);
    try {
      const me = await whoami();
      if (name !== me.name) {
        await rename(name);
        setSaid("Saved.");
      }
      await then();
    } catch (failed) {
      setFailure(failed);
    }
  };
  return html`<form class="entry name" onSubmit=${submit}>
    <label for="name">${label}</label>
    <input id="name" type="text" maxlength="40" autocomplete="nickname" dir="auto" required value=${name}
      onInput=${(event) => setName(event.target.value)} />
    <button type="submit" class=${kind}>${button}</button>
    <span role="status">${said}</span>
    <${Trouble} failure=${failure} />
  </form>`;
}
