export default {
  lang: "fr", // une étiquette de langue BCP 47, par exemple fr-CH : pour l’écriture des nombres
  width: "longueur",
  depth: "largeur",
  height: "hauteur",
  required: "La {field} est obligatoire.",
  number: "La {field} doit être un nombre sans séparateur de milliers, par exemple 1250 ou {example}.",
  range: "La {field} doit être comprise entre {min} et {max}.",
  decimals: "La {field} a trop de décimales : au plus {decimals}.",
  atLeast: "La {field} doit être d’au moins {min} {unit}.",
  atMost: "La {field} doit être d’au plus {max} {unit}.",
  either: "La {field} doit être d’au plus {max} {unit} ou d’au moins {min} {unit}.",
  together: "Modifier la {field} seule ne suffit pas.",
  // Pour dom.js :
  articleChoice: "Choisissez un article.",
  materialChoice: "Choisissez un matériau dans lequel cet article existe.",
  valid: "Cette boîte est réalisable.",
  use: "Choisir {width} × {depth} × {height} {unit} (modifie : {changed})",
  turn: "Tourner la boîte : {width} × {depth} × {height} {unit}",
  turnOther: "Tourner la boîte : {width} × {depth} × {height} {unit} (un autre côté s’ouvre)",
};
