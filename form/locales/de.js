export default {
  lang: "de", // ein Sprachkennzeichen nach BCP 47, etwa de-CH: so werden Zahlen geschrieben
  width: "Länge",
  depth: "Breite",
  height: "Höhe",
  required: "Die {field} fehlt.",
  number: "Die {field} muss eine Zahl ohne Tausendertrennzeichen sein, etwa 1250 oder {example}.",
  range: "Die {field} muss zwischen {min} und {max} liegen.",
  decimals: "Die {field} hat zu viele Nachkommastellen: höchstens {decimals}.",
  atLeast: "Die {field} muss mindestens {min} {unit} betragen.",
  atMost: "Die {field} darf höchstens {max} {unit} betragen.",
  either: "Die {field} darf höchstens {max} {unit} oder muss mindestens {min} {unit} betragen.",
  together: "Nur die {field} zu ändern genügt nicht.",
  // Für dom.js:
  articleChoice: "Wählen Sie einen Artikel.",
  materialChoice: "Wählen Sie ein Material, in dem es diesen Artikel gibt.",
  valid: "Diese Schachtel ist herstellbar.",
  use: "{width} × {depth} × {height} {unit} übernehmen (ändert: {changed})",
  turn: "Schachtel drehen: {width} × {depth} × {height} {unit}",
  turnOther: "Schachtel drehen: {width} × {depth} × {height} {unit} (eine andere Seite öffnet sich)",
};
