"""A form of Django that takes no box that cannot be made, and says at the field what is wrong, in the visitor's language.

boxrules.py (ports/python) and boxrules.json (boxrules generate json) lie next to this file.
"""

from pathlib import Path

from django import forms
from django.utils.translation import get_language

import boxrules

RULES = boxrules.load(Path(__file__).parent / "boxrules.json")

# What the sentences do not name.
LABELS = {"en": ("Article", "Material"), "de": ("Artikel", "Material"), "fr": ("Article", "Matériau")}


def language():
    """Returns the language of the visitor, or English if there are no sentences in it."""
    code = (get_language() or "en").split("-")[0]
    return code if code in RULES.texts else "en"


def dimension():
    # A phone's keypad for decimals has neither the space nor the slash of 12 3/8.
    return forms.CharField(required=False, widget=forms.TextInput({"inputmode": "text" if RULES.unit == "in" else "decimal"}))


class BoxForm(forms.Form):
    # RULES checks all fields, so that every sentence is in its words. The dimensions are texts until then, as they were typed.
    article = forms.CharField(required=False, widget=forms.Select(choices=[(code, entry["title"]) for code, entry in RULES.articles.items()]))
    material = forms.CharField(required=False, widget=forms.Select(choices=[(code, code) for code in RULES.materials]))
    width = dimension()
    depth = dimension()
    height = dimension()

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        # The labels have the names that the sentences use.
        texts = RULES.texts[language()]
        self.fields["article"].label, self.fields["material"].label = LABELS.get(language(), LABELS["en"])
        for field in boxrules.FIELDS:
            self.fields[field].label = f"{texts[field].capitalize()} ({texts.get(RULES.unit, RULES.unit)})"

    def clean(self):
        data = super().clean()
        result = RULES.validate(data.get("article"), data.get("material"), data, language())
        for issue in result.issues:
            self.add_error(issue.field, forms.ValidationError(issue.message, code=issue.code or issue.kind))
        return {**data, **(result.dims or {})}
