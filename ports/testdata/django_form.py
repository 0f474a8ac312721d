"""Runs the form of examples/django, in the folder given, on each line of JSON, and prints its errors."""

import json
import sys

import django
from django.conf import settings

settings.configure(USE_I18N=True, LANGUAGE_CODE="de")
django.setup()
sys.path.insert(0, sys.argv[1])
from forms import BoxForm  # noqa: E402

for line in sys.stdin:
    form = BoxForm(json.loads(line))
    form.is_valid()
    labels = [field.label for field in form]
    assert labels == ["Artikel", "Material", "Länge (mm)", "Breite (mm)", "Höhe (mm)"], labels
    print(json.dumps({field: [f"{e.code}: {e.message}" for e in errors.as_data()] for field, errors in form.errors.items()}, ensure_ascii=False))
