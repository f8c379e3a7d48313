from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("tournaments", "0006_screens"),
    ]

    operations = [
        migrations.AddField(
            model_name="entry",
            name="full_name",
            field=models.CharField(
                blank=True, max_length=250, verbose_name="name with the full names of minors",
                default="",
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="player",
            name="folded_full_name",
            field=models.CharField(
                blank=True, db_index=True, default="", editable=False, max_length=120
            ),
        ),
        migrations.AddField(
            model_name="player",
            name="full_latin_name",
            field=models.CharField(
                blank=True, max_length=120,
                verbose_name="full name of a minor in Latin letters", default="",
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="player",
            name="full_name",
            field=models.CharField(
                blank=True,
                help_text="Filled for those whose name is shortened for the public.",
                max_length=120, verbose_name="full name of a minor", default="",
            ),
            preserve_default=False,
        ),
    ]
