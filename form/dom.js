// Live checks for a quote form that works without them: for its controls named width, depth and height, and article
// and material where the profile depends on those.

const FIELDS = ["width", "depth", "height"];
// What it sets on them.
const ATTRIBUTES = ["min", "max", "step", "aria-invalid", "aria-describedby"];

// What it says without a locale.
const english = {
  lang: "en",
  valid: "This box can be made.",
  use: "Use {width} × {depth} × {height} {unit} (changes: {changed})",
  articleChoice: "Choose an article.",
  materialChoice: "Choose a material.",
};

const attached = new WeakMap();
let count = 0;

export function attach(form, options) {
  // Its number is in the ids, which stay the same when it is attached again.
  const number = attached.get(form)?.() ?? ++count;
  const words = { ...english, ...options.messages };
  const asked = typeof options.profile == "function";
  let touched = {};
  const undo = [];
  const listening = new AbortController();
  const { signal } = listening;
  let announcement;

  /** The page's own element for a part, marked by an attribute, else a new one: after a control, or last in the form. */
  const part = (tag, kind, name = "", control) => {
    const mark = "data-boxrules-" + kind;
    let element = form.querySelector(`[${mark}="${name}"]`);
    if (element) {
      const { textContent, hidden, onclick } = element;
      undo.push(() => Object.assign(element, { textContent, hidden, onclick }));
    } else {
      element = document.createElement(tag);
      element.setAttribute(mark, name);
      // Beside a label, not in it: what is in a label names the control.
      if (control) (control.closest("label") ?? control).after(element);
      else form.append(element);
      // Only for screen readers: all that it says can be seen elsewhere.
      if (kind == "status") element.style = "position:fixed;left:-9999px";
      undo.push(() => element.remove());
    }
    return element;
  };

  const controls = (asked ? ["article", "material", ...FIELDS] : FIELDS).flatMap((name) => {
    const named = form.elements[name];
    if (!named) return [];
    const control = named.form ? named : named[0]; // of radio buttons, the first
    const message = part("span", "message", name, control);
    message.id ||= "boxrules-" + name + number;
    undo.push(() => control.setCustomValidity(""));
    for (const name of ATTRIBUTES) {
      const before = control.getAttribute(name);
      undo.push(() => (before == null ? control.removeAttribute(name) : control.setAttribute(name, before)));
    }
    const described = control.getAttribute("aria-describedby");
    control.setAttribute("aria-describedby", described ? described + " " + message.id : message.id);
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
      if (!error.field) throw error;
      result = { issues: [{ message: words[error.field + "Choice"], path: [error.field], kind: "choice" }] };
    }
    const { issues } = result;
    const ranges = (!issues || issues[0].code) && profile.ranges(dims); // else what was given is no box

    const told = [];
    for (const { name, control, message } of controls) {
      const issue = issues?.find((issue) => issue.path[0] == name);
      let text = issue ? issue.message : "";
      control.setCustomValidity(text);
      // Who has not come to a field yet need not be told that it is empty.
      if (!touched[name] && !read(name)) text = "";
      if (text) told.push(text);
      message.textContent = text;
      control.setAttribute("aria-invalid", !!text);

      const isRange = control.type == "range";
      // Without a profile nothing is known of its bounds. A range input must have some.
      if (!profile && !isRange) control.min = control.max = "";
      if (!profile?.limits[name]) continue;
      // Of a box that is not valid each dimension is out of its range: that tells nothing of those not blamed.
      const live = (!issues || issue) && !isRange && ranges?.[name];
      const known = live?.[0] ? live : [profile.limits[name]];
      const room = [known[0].min, known.at(-1).max];
      // The browser is to object to the blamed alone, and moves the value of a range input to the nearest bound.
      if (isRange || !issue) room.push(control.value);
      control.step = "any"; // first: min is where the steps start
      control.min = Math.min(...room);
      control.max = Math.max(...room);
    }

    const suggestion = ranges && issues && profile.nearest?.(dims, options.step);
    // Not where it would change what the visitor cannot.
    button.hidden = !suggestion?.changed?.every((name) => form.elements[name].willValidate);
    button.textContent = "";
    if (!button.hidden) {
      const { changed } = suggestion;
      const values = { ...issues[0].params, ...suggestion, changed: changed.map((name) => words[name] ?? name).join(", ") };
      const written = (_, key) => (values[key] ?? "").toLocaleString(words.lang, { useGrouping: false });
      told.push((button.textContent = words.use.replace(/{(\w+)}/g, written)));
      button.onclick = () => {
        for (const name of changed) {
          const control = form.elements[name];
          // The prototype's setter: React puts one of its own on the element and then sees no change.
          Reflect.set(Object.getPrototypeOf(control), "value", suggestion[name], control);
          for (const type of ["input", "change"]) control.dispatchEvent(new Event(type, { bubbles: true }));
        }
        form.elements[changed[0]].focus(); // the button is hidden now
      };
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
      touched = {};
      setTimeout(check); // the controls are reset after the event
    } else {
      if (type != "input") touched[target.name] = true;
      check();
    }
  };
  // "invalid", which tells of an attempt to submit, does not bubble.
  for (const type of ["input", "change", "reset", "invalid"]) {
    form.addEventListener(type, heard, { signal, capture: type == "invalid" });
  }

  // A browser that goes back fills in what was there, without an event on the controls.
  addEventListener("pageshow", check, { signal });

  const detach = () => {
    listening.abort();
    clearTimeout(announcement);
    for (const restore of undo.splice(0)) restore();
    return number;
  };
  attached.set(form, detach);
  check();
  clearTimeout(announcement); // nothing has happened yet
  return { check, detach };
}
