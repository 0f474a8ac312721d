// Live checks for a quote form. The form also works without them. They watch the controls named width, depth and height.
// If the profile depends on the article and the material, they also watch the controls named article and material.

const FIELDS = ["width", "depth", "height"];
// The attributes that attach sets on the controls.
const ATTRIBUTES = ["min", "max", "step", "aria-invalid", "aria-describedby"];

// The texts for a form without a locale.
const english = {
  lang: "en",
  in: "inches",
  valid: "This box can be made.",
  use: "Use {width} × {depth} × {height} {unit} (changes: {changed})",
  turn: "Turn the box: {width} × {depth} × {height} {unit}",
  turnOther: "Turn the box: {width} × {depth} × {height} {unit} (another side opens)",
  articleChoice: "Choose an article.",
  materialChoice: "Choose a material in which this article is offered.",
};

const attached = new WeakMap(); // from a form to its function detach
let count = 0; // the number of forms that have been attached

/** Throws an error if an argument is invalid. It looks like the InputError of a generated module, which is not imported. */
const need = (field, accepted, isGood) => {
  try {
    if (isGood()) return;
  } catch {} // an argument that cannot be read is invalid
  throw Object.assign(new RangeError(`${field}: what was given is not ${accepted}`), { field });
};

const isFunction = (x) => typeof x == "function";

const isProfile = ({ ranges, validate, limits }) =>
  isFunction(ranges) && isFunction(validate) && FIELDS.every((name) => limits[name].min <= limits[name].max);

/** Throws an error for a step that the function nearest of a profile with these decimals does not accept. */
const needStep = (step, decimals = 3) => {
  const smallest = 1 / 10 ** decimals;
  const isGood = () => step === undefined || (step >= smallest && step <= 1000 && +step.toFixed(decimals) === step);
  need("step", `a multiple of ${smallest} from ${smallest} to 1000`, isGood);
};

/** Makes the function that looks up a text in the messages. If they do not have it, the text is in English. */
const textsOf = (messages) => (key) => {
  let text;
  try {
    text = messages[key];
  } catch {} // there are no messages
  return [text, english[key]].find((text) => typeof text == "string");
};

/** Makes the function that writes a number in the notation of the texts' language, but always with the digits 0 to 9. */
const numberWriter = (textOf) => {
  let lang = "en";
  try {
    lang = Intl.getCanonicalLocales([textOf("lang"), lang]);
  } catch {} // lang is not a language tag
  return (x) => x.toLocaleString(lang, { useGrouping: false, numberingSystem: "latn" });
};

/**
 * Makes the function that returns the element for a part of the display. If the page has an element with the attribute
 * data-boxrules-KIND, it is that one. Otherwise the function makes one, after a control or at the end of the form. It adds
 * functions to the list undo that put everything back.
 */
const partFinder = (form, undo) => (tag, kind, name = "", control) => {
  const mark = "data-boxrules-" + kind;
  let element = form.querySelector(`[${mark}="${name}"]`);
  if (element) {
    const { textContent, hidden, onclick } = element;
    undo.push(() => Object.assign(element, { textContent, hidden, onclick }));
  } else {
    element = document.createElement(tag);
    element.setAttribute(mark, name);
    // Insert it after the label and not in it, because the text in a label is the name of the control.
    if (control) (control.closest("label") ?? control).after(element);
    else form.append(element);
    // The status is for screen readers only. Everybody else sees its texts elsewhere.
    if (kind == "status") element.style = "position:fixed;left:-9999px";
    undo.push(() => element.remove());
  }
  return element;
};

/** Links a control to the element of its message. */
const describe = (control, message, undo) => {
  undo.push(() => control.setCustomValidity(""));
  for (const name of ATTRIBUTES) {
    const before = control.getAttribute(name);
    undo.push(() => (before == null ? control.removeAttribute(name) : control.setAttribute(name, before)));
  }
  const described = control.getAttribute("aria-describedby");
  control.setAttribute("aria-describedby", described ? described + " " + message.id : message.id);
};

/**
 * The value of a control: a number if its text is one, and otherwise the text. The value of an input of type number is
 * empty if its text is not a number. If it is a number, the value has a decimal point in every language.
 */
const read = (form, name) => {
  const { validity, value, valueAsNumber } = form.elements[name] ?? {};
  if (validity?.badInput) return "?";
  return valueAsNumber < Infinity && /^-?\d[\d.]*$/.test(value) ? valueAsNumber : value;
};

/** The number that a text means to validate: 48, 48.5, 48,5 or, in inches, 12 3/8. */
const toNumber = (given) => {
  const [whole, part = 0, of = 1] = String(given).replace(",", ".").split(/[ /]/);
  return +whole + (whole[0] == "-" ? -part : +part) / of;
};

/**
 * Makes sure that the browser does not submit a box that cannot be made. Some controls, such as read-only ones, do not stop
 * the form even if they have a custom validity. If all blamed controls are like that, another control has to stop it,
 * preferably one whose change alone makes the box valid.
 */
const blockSubmit = (controls, [{ message }], ranges) => {
  const open = controls.map(({ control }) => control).filter((control) => control.willValidate);
  if (open.some((control) => control.validity.customError)) return;
  (open.find(({ name }) => ranges?.[name]?.length) ?? open[0])?.setCustomValidity(message);
};

/** Sets min and max of a control to the ends of the ranges, or to the article's limits if there are no ranges. */
const setBounds = (control, value, isBlamed, ranges, { limits, decimals }) => {
  const isSlider = control.type == "range";
  const known = !isSlider && ranges?.length ? ranges : [limits[control.name]];
  const lowest = known[0];
  const highest = known.at(-1);
  const values = [lowest.safe_min ?? lowest.min, highest.safe_max ?? highest.max];
  // The browser should object only to a blamed control, so the bounds of any other control include its value. The bounds of
  // a slider always include its value, because the browser moves a slider into its bounds.
  if (isSlider || !isBlamed) values.push(value);
  control.step = decimals < 3 ? 1 / 10 ** decimals : "any"; // before min, from which the browser counts the steps
  control.min = Math.min(...values);
  control.max = Math.max(...values);
};

/** The box to suggest: the turned box, or else the nearest one. It changes only controls that the visitor can change. */
const suggest = (form, profile, dims, step) => {
  const isFree = ({ changed }) => changed.every((name) => form.elements[name].willValidate);
  const turned = profile.turned?.(dims).map((box) => ({ ...box, changed: FIELDS.filter((name) => box[name] != dims[name]) }));
  const best = turned?.find(isFree);
  if (best) return best;
  const near = profile.nearest?.(dims, step);
  if (near?.changed && isFree(near)) return near;
};

/** The text of the button for a suggestion. The params are those of an issue, and contain the unit. */
const buttonText = (suggestion, params, textOf) => {
  const write = numberWriter(textOf);
  const changed = suggestion.changed.map((name) => textOf(name) ?? name).join(", ");
  const values = { ...params, unit: textOf(params.unit) ?? params.unit, ...suggestion, changed };
  const value = (_, key) => write((Object.hasOwn(values, key) ? values[key] : null) ?? "");
  return textOf({ same: "turn", other: "turnOther" }[suggestion.opening] ?? "use").replace(/{(\w+)}/g, value);
};

/** Writes a suggestion into the form as if the visitor had typed it. */
const use = (form, suggestion, textOf) => {
  const hasComma = numberWriter(textOf)(0.5).includes(",");
  for (const name of suggestion.changed) {
    const control = form.elements[name];
    const text = String(suggestion[name]);
    // In a control for text, 1.234 could mean 1234 to a visitor whose language has a decimal comma.
    const typed = control.valueAsNumber < Infinity || !hasComma ? text : text.replace(".", ",");
    // React replaces the setter of the element and then misses the change, so this is the setter of the prototype.
    Reflect.set(Object.getPrototypeOf(control), "value", typed, control);
    for (const type of ["input", "change"]) control.dispatchEvent(new Event(type, { bubbles: true }));
  }
  form.elements[suggestion.changed[0]].focus(); // the button, which had the focus, is hidden by these events
};

/** The profile for the chosen article and material, if there is one, and the result of its function validate. */
const validate = (form, options, given, textOf) => {
  try {
    const isChosen = isFunction(options.profile);
    const profile = isChosen ? options.profile(read(form, "article"), read(form, "material"), options.messages) : options.profile;
    return { profile, result: profile.validate(given) };
  } catch (error) {
    if (!error.field) throw error;
    return { result: { issues: [{ message: textOf(error.field + "Choice"), path: [error.field], kind: "choice" }] } };
  }
};

/** Shows the issue of a control, if there is one, and returns the text that the visitor sees. */
const showIssue = ({ control, message }, issue, isReached) => {
  const text = issue?.message ?? "";
  control.setCustomValidity(text);
  // Do not complain about a field the visitor has not reached yet.
  const visible = isReached ? text : "";
  message.textContent = visible;
  control.setAttribute("aria-invalid", visible != "");
  return visible;
};

/** Checks the form and shows the result. */
const checkForm = (form, options, step, controls, button, visited, announce) => {
  const textOf = textsOf(options.messages);
  const given = {};
  const dims = {};
  for (const name of FIELDS) {
    given[name] = read(form, name);
    dims[name] = toNumber(given[name]); // NaN for some texts; validate reports those
  }
  const { profile, result } = validate(form, options, given, textOf);
  const { issues } = result;
  // Only the violation of a rule has a code. Any other issue means that there is no box, so there are no ranges.
  const ranges = (!issues || issues[0].code) && profile.ranges(dims);

  const news = [];
  for (const part of controls) {
    const { name, control } = part;
    const issue = issues?.find((issue) => issue.path[0] == name);
    news.push(showIssue(part, issue, visited.has(name) || read(form, name) !== ""));
    // In an invalid box every dimension is out of its range, even a dimension without an issue. For such a dimension, set
    // the limits and not the ranges.
    if (profile?.limits[name]) setBounds(control, dims[name], issue, (!issues || issue) && ranges?.[name], profile);
    // Without a profile there are no limits. A slider keeps its bounds, because it needs some.
    else if (!profile && control.type != "range") control.min = control.max = "";
  }
  if (issues) blockSubmit(controls, issues, ranges);

  let suggestion;
  try {
    if (profile) needStep(step, profile.decimals);
    suggestion = ranges && issues && suggest(form, profile, dims, step);
  } finally {
    // Even if there was an error, the suggestion for the previous box has to be removed.
    button.hidden = !suggestion;
    button.textContent = suggestion ? buttonText(suggestion, issues[0].params, textOf) : "";
    if (suggestion) button.onclick = () => use(form, suggestion, textOf);
    news.push(button.textContent);
    announce(issues ? news.filter(Boolean).join(" ") : textOf("valid"));
    options.onresult?.(result);
  }
};

/** Calls check at every event that can change the result, and keeps the list of visited controls. */
const listen = (form, check, visited, signal) => {
  const onEvent = (event) => {
    const { type, target } = event;
    if (type == "reset") {
      const before = [...visited];
      visited.clear();
      // The browser resets the controls after this event, unless a listener prevents it.
      setTimeout(() => {
        if (event.defaultPrevented) for (const name of before) visited.add(name);
        check();
      });
    } else {
      if (type != "input") visited.add(target.name);
      check();
    }
  };
  // The browser sends "invalid" to a control when the visitor tries to submit the form. It does not bubble.
  for (const type of ["input", "change", "reset", "invalid"]) {
    form.addEventListener(type, onEvent, { signal, capture: type == "invalid" });
  }
  // If the visitor goes back to the page, the browser fills in the old values without an event at the controls.
  addEventListener("pageshow", check, { signal });
};

export function attach(form, options) {
  need("form", "a form element", () => Element.prototype.matches.call(form, "form"));
  need("profile", "a profile, or the function profile", () => isFunction(options.profile) || isProfile(options.profile));
  need("onresult", "a function", () => options.onresult == null || isFunction(options.onresult));
  const { step } = options; // if undefined, the default step of the profile is used
  needStep(step, options.profile.decimals);

  // The number is part of the ids. If the form was attached before, detach returns it, so that the ids stay the same.
  const number = attached.get(form)?.() ?? ++count;
  const undo = [];
  const findPart = partFinder(form, undo);
  const names = isFunction(options.profile) ? ["article", "material", ...FIELDS] : FIELDS;
  const controls = names.flatMap((name) => {
    const named = form.elements[name];
    if (!named) return [];
    const control = named.form ? named : named[0]; // the first one of radio buttons
    const message = findPart("span", "message", name, control);
    message.id ||= "boxrules-" + name + number;
    describe(control, message, undo);
    return { name, control, message };
  });
  const button = findPart("button", "suggestion");
  button.type = "button";
  const status = findPart("p", "status");
  status.setAttribute("role", "status"); // a polite live region

  let timer;
  const announce = (news) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (status.textContent != news) status.textContent = news;
    }, 500);
  };
  const visited = new Set();
  const listening = new AbortController();
  const { signal } = listening;
  const check = () => {
    if (!signal.aborted) checkForm(form, options, step, controls, button, visited, announce);
  };
  const detach = () => {
    listening.abort();
    clearTimeout(timer);
    for (const restore of undo.splice(0)) restore();
    return number;
  };
  attached.set(form, detach);
  listen(form, check, visited, signal);
  try {
    check();
  } catch (error) {
    detach(); // after an error, the form is as it was before
    throw error;
  }
  clearTimeout(timer); // do not announce the result of the first check
  return { check, detach };
}
