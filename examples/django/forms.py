"""A form of Django that takes no box that cannot be made.

boxrules.py (ports/python) and boxrules.json (boxrules generate json) lie next to this file.
"""

from pathlib import Path

from django import forms

import boxrules

RULES = boxrules.load(Path(__file__).parent / "boxrules.json")


class BoxForm(forms.Form):
    article = forms.ChoiceField(choices=[(code, entry["title"]) for code, entry in RULES.articles.items()])
    material = forms.CharField()
    width = forms.DecimalField(max_digits=10, localize=True)
    depth = forms.DecimalField(max_digits=10, localize=True)
    height = forms.DecimalField(max_digits=10, localize=True)

    def clean(self):
        data = super().clean()
        if self.errors:
            return data
        try:
            found = RULES.check(*(data[field] for field in ("article", "material", *boxrules.FIELDS)))
        except boxrules.InputError as error:
            self.add_error(error.field, str(error))
        else:
            if found:
                self.add_error(None, forms.ValidationError(found.message, code=found.code))
        return data
