"""A form of Django that takes no box that cannot be made, and says at the field what is wrong, in the visitor's language.

boxrules.py (ports/python) and boxrules.json (boxrules generate json) lie next to this file.
"""

from pathlib import Path

from django import forms
from django.utils.translation import get_language

import boxrules

RULES = boxrules.load(Path(__file__).parent / "boxrules.json")


class BoxForm(forms.Form):
    # RULES checks all fields, so that every sentence is in its words. The dimensions are texts until then, as they were typed.
    article = forms.CharField(required=False, widget=forms.Select(choices=[(code, entry["title"]) for code, entry in RULES.articles.items()]))
    material = forms.CharField(required=False)
    width = forms.CharField(required=False, widget=forms.TextInput({"inputmode": "decimal"}))
    depth = forms.CharField(required=False, widget=forms.TextInput({"inputmode": "decimal"}))
    height = forms.CharField(required=False, widget=forms.TextInput({"inputmode": "decimal"}))

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        # The labels have the names that the sentences use.
        texts = RULES.texts.get((get_language() or "en").split("-")[0], RULES.texts["en"])
        for field in boxrules.FIELDS:
            self.fields[field].label = f"{texts[field].capitalize()} ({RULES.unit})"

    def clean(self):
        data = super().clean()
        result = RULES.validate(data.get("article"), data.get("material"), data, get_language() or "en")
        for issue in result.issues:
            self.add_error(issue.field, forms.ValidationError(issue.message, code=issue.code or issue.kind))
        return {**data, **(result.dims or {})}
