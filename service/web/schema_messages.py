"""Makes marshmallow's messages translatable: they keep their pattern when placeholders are filled in."""

from marshmallow import fields, validate

from events.messages import Message


def use_translatable_messages() -> None:
    """Replaces the messages of marshmallow's fields and validators by `Message`s."""
    for kind in vars(fields).values():
        if isinstance(kind, type) and issubclass(kind, fields.Field):
            messages = vars(kind).get("default_error_messages", {})
            messages.update({name: Message(message) for name, message in messages.items()})
    for kind in vars(validate).values():
        if isinstance(kind, type) and issubclass(kind, validate.Validator):
            for name, message in [*vars(kind).items()]:
                if isinstance(message, str) and "message" in name:
                    setattr(kind, name, Message(message))
