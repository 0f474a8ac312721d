// Live checks for a quote form that works without them: for its controls named width, depth and height, and article
// and material where the profile depends on those.

const FIELDS = ["width", "depth", "height"];
// What it may set on an element.
const ATTRIBUTES = "min max step aria-invalid aria-describedby id role type hidden".split(" ");

// What it says without a locale.
const english = {
  lang: "en",
  valid: "This box can be made.",
  use: "Use {width} × {depth} × {height} {unit} (changes: {changed})",
};

const attached = new WeakMap();
let count = 0;

export function attach(form, options) {
  attached.get(form)?.();

  const words = { ...english, ...options.messages };
  const asked = typeof options.profile == "function";
  const touched = new Set();
  const undo = [];
  const listening = new AbortController();
  const { signal } = listening;
  let suggestion;
  let announcement;

  const restoreLater = (element) => {
    for (const name of ATTRIBUTES) {
      const before = element.getAttribute(name);
      undo.push(() => (before == null ? element.removeAttribute(name) : element.setAttribute(name, before)));
    }
  };

  /** The page's own element for a part, marked by an attribute, else a new one: after a control, or last in the form. */
  const part = (tag, kind, name = "", control) => {
    const mark = "data-boxrules-" + kind;
    let element = form.querySelector(`[${mark}="${name}"]`);
    if (element) {
      const before = element.textContent;
      restoreLater(element);
      undo.push(() => (element.textContent = before));
    } else {
      element = document.createElement(tag);
      element.setAttribute(mark, name);
      // Beside a label, not in it: what is in a label names the control.
      (control?.closest("label") ?? control ?? form.lastChild).after(element);
      // Only for screen readers: all that it says can be seen elsewhere.
      if (kind == "status") element.style.cssText = "position:fixed;left:-9999px";
      undo.push(() => element.remove());
    }
    return element;
  };

  const controls = (asked ? ["article", "material", ...FIELDS] : FIELDS).flatMap((name) => {
    const named = form.elements[name];
    if (!named) return [];
    const control = named.form ? named : named[0]; // of radio buttons, the first
    const message = part("span", "message", name, control);
    message.id ||= "boxrules-" + ++count;
    restoreLater(control);
    const before = control.validity.customError ? control.validationMessage : "";
    undo.push(() => control.setCustomValidity(before));
    const described = control.getAttribute("aria-describedby");
    control.setAttribute("aria-describedby", [described, message.id].join(" ").trim());
    return { name, control, message };
  });

  const button = part("button", "suggestion");
  button.type = "button";
  const status = part("p", "status");
  status.setAttribute("role", "status"); // a polite live region

  // What is no number has an empty value in an input of type number.
  const read = (name) => {
    const control = form.elements[name];
    return control?.validity?.badInput ? "?" : control?.value;
  };

  const check = () => {
    if (signal.aborted) return;
    const given = {};
    const dims = {};
    let profile;
    let result;
    for (const name of FIELDS) dims[name] = +(given[name] = read(name));
    try {
      profile = asked ? options.profile(read("article"), read("material"), options.messages) : options.profile;
      result = profile.validate(given);
    } catch (error) {
      const { field } = error;
      if (!field) throw error;
      result = { issues: [{ message: words[field + "Choice"] ?? error.message, path: [field], kind: "choice" }] };
    }
    const { issues } = result;
    const ranges = (!issues || issues[0].code) && profile.ranges(dims); // else what was given is no box
    suggestion = ranges && issues && profile.nearest?.(dims, options.step);

    const told = [];
    for (const { name, control, message } of controls) {
      const issue = issues?.find((issue) => issue.path[0] == name);
      control.setCustomValidity(issue ? issue.message : "");
      // Who has not come to a field yet need not be told that it is empty.
      const text = issue && (read(name) || touched.has(name)) ? issue.message : "";
      if (text) told.push(text);
      message.textContent = text;
      control.setAttribute("aria-invalid", text != "");

      if (!profile?.limits[name]) continue;
      let { min, max } = profile.limits[name];
      const live = ranges && ranges[name];
      if (control.type == "range") {
        // The browser moves its value to the nearest bound, so both leave room for it.
        min = Math.min(min, control.value);
        max = Math.max(max, control.value);
      } else if (live?.[0] && (issue || !issues)) {
        // Of a box that is not valid each dimension is out of its range. The browser is to object to the blamed alone.
        min = live[0].min;
        max = live.at(-1).max;
      }
      control.step = "any"; // first: min is where the steps start
      control.min = min;
      control.max = max;
    }

    button.hidden = !suggestion;
    button.textContent = "";
    if (suggestion) {
      const changed = suggestion.changed.map((name) => words[name] ?? name).join(", ");
      const values = { ...issues[0].params, ...suggestion, changed };
      const written = (_, key) => (values[key] ?? "").toLocaleString(words.lang, { useGrouping: false });
      told.push((button.textContent = words.use.replace(/{(\w+)}/g, written)));
    }

    clearTimeout(announcement);
    announcement = setTimeout(() => {
      const news = issues ? told.join(" ") : words.valid;
      if (status.textContent != news) status.textContent = news;
    }, 500);

    options.onresult?.(result);
  };

  const heard = ({ type, target }) => {
    if (type == "reset") {
      touched.clear();
      setTimeout(check); // the controls are reset after the event
    } else {
      if (type != "input") touched.add(target.name);
      check();
    }
  };
  // "invalid", which tells of an attempt to submit, does not bubble.
  for (const type of ["input", "change", "reset", "invalid"]) {
    form.addEventListener(type, heard, { signal, capture: type == "invalid" });
  }

  const accept = () => {
    const chosen = suggestion; // each event makes another
    for (const name of chosen.changed) {
      const control = form.elements[name];
      // The prototype's setter: React puts one of its own on the element and then sees no change.
      Reflect.set(Object.getPrototypeOf(control), "value", chosen[name], control);
      for (const type of ["input", "change"]) control.dispatchEvent(new Event(type, { bubbles: true }));
    }
    form.elements[chosen.changed[0]].focus(); // the button is hidden now
  };
  button.addEventListener("click", accept, { signal });

  const detach = () => {
    listening.abort();
    clearTimeout(announcement);
    for (const restore of undo.splice(0)) restore();
  };
  attached.set(form, detach);
  check();
  clearTimeout(announcement); // nothing has happened yet
  return { check, detach };
}
