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
  turn: "Turn the box: {width} × {depth} × {height} {unit}",
  turnOther: "Turn the box: {width} × {depth} × {height} {unit} (another side opens)",
  articleChoice: "Choose an article.",
  materialChoice: "Choose a material.",
};

const attached = new WeakMap();
let count = 0;

/** The languages to write numbers in: English where what is given is not a language tag. */
const languages = (lang) => {
  try {
    return Intl.getCanonicalLocales([lang, "en"]);
  } catch {
    return "en";
  }
};

/** Refuses an argument, with an error like the InputError of a generated module, as this file stands alone. */
const need = (field, accepted, isGood) => {
  try {
    if (isGood()) return;
  } catch {} // what cannot be read is not good
  throw Object.assign(new RangeError(`${field}: what was given is not ${accepted}`), { field });
};

const isFunction = (x) => typeof x == "function";

const isProfile = ({ ranges, validate, limits }) =>
  isFunction(ranges) && isFunction(validate) && FIELDS.every((name) => limits[name].min <= limits[name].max);

/** Refuses a step that nearest would refuse for boxes with so many decimals. */
const needStep = (step, decimals = 3) => {
  const least = 1 / 10 ** decimals;
  const isGood = () => step >= least && step <= 1000 && +step.toFixed(decimals) === step;
  need("step", `a multiple of ${least} from ${least} to 1000`, isGood);
};

export function attach(form, options) {
  need("form", "a form element", () => Element.prototype.matches.call(form, "form"));
  need("profile", "a profile, or the function profile", () => isFunction(options.profile) || isProfile(options.profile));
  need("onresult", "a function", () => options.onresult == null || isFunction(options.onresult));
  const { messages, step = 1 } = options;
  needStep(step, options.profile.decimals);
  // Its number is in the ids, which stay the same when it is attached again.
  const number = attached.get(form)?.() ?? ++count;
  const word = (key) => {
    let own;
    try {
      own = messages[key];
    } catch {} // then there is none
    return [own, english[key]].find((text) => typeof text == "string");
  };
  const lang = languages(word("lang"));
  // In digits that are read in every language.
  const written = (x) => x.toLocaleString(lang, { useGrouping: false, numberingSystem: "latn" });
  const hasComma = written(0.5).includes(",");
  const asked = isFunction(options.profile);
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

  // What is not a number has an empty value in an input of type number. What is one has a point there in every language.
  const read = (name) => {
    const { validity, value, valueAsNumber } = form.elements[name] ?? {};
    if (validity?.badInput) return "?";
    return valueAsNumber < Infinity && /^-?\d[\d.]*$/.test(value) ? valueAsNumber : value;
  };

  /** The profile that the form's choice has, if any, and what it says of the dimensions. */
  const ask = (given) => {
    try {
      const profile = asked ? options.profile(read("article"), read("material"), messages) : options.profile;
      return { profile, result: profile.validate(given) };
    } catch (error) {
      if (!error.field) throw error;
      return { result: { issues: [{ message: word(error.field + "Choice"), path: [error.field], kind: "choice" }] } };
    }
  };

  /** Says at a control what is wrong with it, and returns what can be seen of that. */
  const tell = ({ name, control, message }, issue) => {
    const text = issue?.message ?? "";
    control.setCustomValidity(text);
    // Who has not come to a field yet need not be told that it is empty.
    const seen = touched[name] || read(name) !== "" ? text : "";
    message.textContent = seen;
    control.setAttribute("aria-invalid", seen != "");
    return seen;
  };

  /**
   * Keeps a box that cannot be made from being sent where browsers let none of the blamed controls stop it, as those that
   * are read-only: then another does, one whose change alone can help before others.
   */
  const stop = ([{ message }], ranges) => {
    const open = controls.map(({ control }) => control).filter((control) => control.willValidate);
    if (open.some((control) => control.validity.customError)) return;
    (open.find(({ name }) => ranges?.[name]?.length) ?? open[0])?.setCustomValidity(message);
  };

  /** Sets the least and the greatest value of a control: of the ranges where there are some, else of the limits. */
  const bound = (control, value, blamed, ranges, { limits, decimals }) => {
    const isRange = control.type == "range";
    const known = !isRange && ranges?.length ? ranges : [limits[control.name]];
    const lowest = known[0];
    const highest = known.at(-1);
    const values = [lowest.safe_min ?? lowest.min, highest.safe_max ?? highest.max];
    // The browser is to object to the blamed alone, and moves the value of a range input to the nearest bound.
    if (isRange || !blamed) values.push(value);
    control.step = decimals < 3 ? 1 / 10 ** decimals : "any"; // first: min is where the steps start
    control.min = Math.min(...values);
    control.max = Math.max(...values);
  };

  /** What the function suggest has, without boxes that change what the visitor cannot. */
  const suggested = (profile, dims) => {
    const isFree = ({ changed }) => changed.every((name) => form.elements[name].willValidate);
    const turned = profile.turned?.(dims).map((box) => ({ ...box, changed: FIELDS.filter((name) => box[name] != dims[name]) }));
    const best = turned?.find(isFree);
    if (best) return best;
    const near = profile.nearest?.(dims, step);
    if (near?.changed && isFree(near)) return near;
  };

  /** The words of the button for a suggestion, with the params of an issue, such as the unit. */
  const offered = (suggestion, params) => {
    const changed = suggestion.changed.map((name) => word(name) ?? name).join(", ");
    const values = { ...params, unit: word(params.unit) ?? params.unit, ...suggestion, changed };
    const value = (_, key) => written((Object.hasOwn(values, key) ? values[key] : null) ?? "");
    return word({ same: "turn", other: "turnOther" }[suggestion.opening] ?? "use").replace(/{(\w+)}/g, value);
  };

  /** Puts a suggestion into the form, as if it were typed. */
  const use = (suggestion) => {
    for (const name of suggestion.changed) {
      const control = form.elements[name];
      const text = String(suggestion[name]);
      // As typed: inputs that have no number of their own take text, in which 1.234 could be 1234.
      const typed = control.valueAsNumber < Infinity || !hasComma ? text : text.replace(".", ",");
      // The prototype's setter: React puts one of its own on the element and then sees no change.
      Reflect.set(Object.getPrototypeOf(control), "value", typed, control);
      for (const type of ["input", "change"]) control.dispatchEvent(new Event(type, { bubbles: true }));
    }
    form.elements[suggestion.changed[0]].focus(); // the button is hidden now
  };

  const announce = (news) => {
    clearTimeout(announcement);
    announcement = setTimeout(() => {
      if (status.textContent != news) status.textContent = news;
    }, 500);
  };

  const check = () => {
    if (signal.aborted) return;
    const given = {};
    const dims = {};
    for (const name of FIELDS) {
      given[name] = read(name);
      dims[name] = +String(given[name]).replace(",", "."); // where it is a number: that is for the profile to say
    }
    const { profile, result } = ask(given);
    const { issues } = result;
    const ranges = (!issues || issues[0].code) && profile.ranges(dims); // else what was given is not a box

    const told = [];
    for (const part of controls) {
      const { name, control } = part;
      const issue = issues?.find((issue) => issue.path[0] == name);
      told.push(tell(part, issue));
      // Of a box that is not valid each dimension is out of its range: that tells nothing of those not blamed.
      if (profile?.limits[name]) bound(control, dims[name], issue, (!issues || issue) && ranges?.[name], profile);
      // Without a profile nothing is known of its bounds. A range input must have some.
      else if (!profile && control.type != "range") control.min = control.max = "";
    }
    if (issues) stop(issues, ranges);

    let suggestion;
    try {
      if (profile) needStep(step, profile.decimals);
      suggestion = ranges && issues && suggested(profile, dims);
    } finally {
      // What stands there is of this box, whatever fails.
      button.hidden = !suggestion;
      button.textContent = button.hidden ? "" : offered(suggestion, issues[0].params);
      if (!button.hidden) button.onclick = () => use(suggestion);
      told.push(button.textContent);

      announce(issues ? told.filter(Boolean).join(" ") : word("valid"));
      options.onresult?.(result);
    }
  };

  const heard = (event) => {
    const { type, target } = event;
    if (type == "reset") {
      const before = touched;
      touched = {};
      // The controls are reset after the event, if no one prevents it.
      setTimeout(() => {
        if (event.defaultPrevented) touched = { ...before, ...touched };
        check();
      });
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
  try {
    check();
  } catch (error) {
    detach(); // what is refused changes nothing
    throw error;
  }
  clearTimeout(announcement); // nothing has happened yet
  return { check, detach };
}
