"""Demo server ``handbook``: a company's pages and its calendar, in memory."""

from __future__ import annotations

import datetime

from toolnote_desktop.demo.server import JSON, DemoError, DemoServer, DemoTool

_PAGES: dict[str, tuple[str, str, str]] = {
    "release-checklist": (
        "Release checklist",
        "Product",
        "# Release checklist\n\n"
        "1. All issues of the release are done or moved, and the team that owns each has agreed.\n"
        "2. Release notes are written: two sentences from each team, in words a customer uses.\n"
        "3. Support has seen the notes a day before.\n"
        "4. The release goes out Tuesday to Thursday, before 15:00. Never on a Friday.\n"
        "5. One person each from Engineering and Product is reachable for two hours afterwards.\n",
    ),
    "writing-style": (
        "How we write",
        "Product",
        "# How we write\n\n"
        "Short sentences, everyday words, no exclamation marks. Say what people can do, not what we built.\n"
        "Write *sign in*, not *log in*; *project*, not *workspace*. Dates as 3 May, never 05/03.\n",
    ),
    "severity": (
        "How urgent is it?",
        "Engineering",
        "# How urgent is it?\n\n"
        "- **Urgent**: customers cannot work, or data is at risk. One person drops everything.\n"
        "- **High**: many are slowed down, no way around. Next working day.\n"
        "- **Medium**: annoying, with a way around. This month.\n"
        "- **Low**: everything else.\n",
    ),
    "key-rotation": (
        "Rotating signing keys",
        "Security",
        "# Rotating signing keys\n\n"
        "Every year, by two people. Make the new key, publish it, wait for a week, sign with it, then withdraw the old "
        "one. Never share a key in a chat or an issue.\n",
    ),
    "time-off": (
        "Time off",
        "People",
        "# Time off\n\n"
        "Thirty days a year. Tell your team two weeks ahead and put it into the calendar. Sick days need no reason.\n",
    ),
    "meeting-rules": (
        "Meetings",
        "People",
        "# Meetings\n\n"
        "Every meeting has a purpose in its invitation. Thirty minutes unless there is a reason. Wednesdays are free "
        "of meetings.\n",
    ),
}
SECTIONS = ("Product", "Engineering", "Security", "People")
# title, days from today, start, minutes, who
_EVENTS: tuple[tuple[str, int, str, int, tuple[str, ...]], ...] = (
    ("Stand-up Engineering", 0, "09:30", 15, ("ben", "chiara", "deniz")),
    ("Prices for the team plan", 0, "14:00", 45, ("ana",)),
    ("Stand-up Engineering", 1, "09:30", 15, ("ben", "chiara", "deniz")),
    ("Customer interview", 1, "11:00", 60, ("fumi", "ana")),
    ("Design review: settings", 2, "10:00", 30, ("emil", "deniz", "ana")),
    ("Planning week", 4, "13:00", 90, ("ana", "ben", "emil")),
    ("Release 4.3", 6, "10:00", 120, ("ana", "ben", "chiara", "deniz")),
)
_EVENT_PROPERTIES: JSON = {
    "title": {"type": "string"},
    "date": {"type": "string", "format": "date"},
    "start": {"type": "string", "description": "Local time, HH:MM."},
    "minutes": {"type": "integer"},
    "attendees": {"type": "array", "items": {"type": "string"}},
}
_EVENT: JSON = {"type": "object", "properties": _EVENT_PROPERTIES, "required": list(_EVENT_PROPERTIES)}
_READS = {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False}
_ADDS = {"readOnlyHint": False, "destructiveHint": False, "idempotentHint": False, "openWorldHint": False}


class Handbook:
    """Pages and calendar."""

    def __init__(self, today: datetime.date) -> None:
        self.today = today
        self.suggestions: list[JSON] = []
        self.events: list[JSON] = []
        for title, days, start, minutes, who in _EVENTS:
            date = str(today + datetime.timedelta(days=days))
            self.events.append(
                {"title": title, "date": date, "start": start, "minutes": minutes, "attendees": list(who)}
            )

    def page(self, page_id: str) -> str:
        """Return the text of a page.

        Raises:
            DemoError: it does not exist.
        """
        if page_id not in _PAGES:
            raise DemoError(f"There is no page {page_id}. Use search_pages to find one.")
        return _PAGES[page_id][2]

    def search_pages(self, arguments: JSON) -> JSON:
        words = arguments["query"].casefold().split()
        found = []
        for page_id, (title, section, text) in _PAGES.items():
            body = f"{title} {text}".casefold()
            if all(word in body for word in words) and arguments.get("section", section) == section:
                line = next(
                    (line for line in text.splitlines() if words and words[0] in line.casefold()), text.splitlines()[2]
                )
                found.append({"id": page_id, "title": title, "section": section, "excerpt": line.strip()})
        return {"pages": found}

    def read_page(self, arguments: JSON) -> JSON:
        text = self.page(arguments["id"])
        title, section, _ = _PAGES[arguments["id"]]
        return {"id": arguments["id"], "title": title, "section": section, "text": text}

    def suggest_change(self, arguments: JSON) -> JSON:
        self.page(arguments["id"])
        suggestion = {"page": arguments["id"], "text": arguments["text"].strip(), "date": str(self.today)}
        self.suggestions.append(suggestion)
        return {"accepted": False, "waiting": len(self.suggestions), "suggestion": suggestion}

    def list_events(self, arguments: JSON) -> JSON:
        first = self.date(arguments["from"]) if "from" in arguments else self.today
        last = first + datetime.timedelta(days=arguments.get("days", 7) - 1)
        person = arguments.get("person")
        events = [
            event
            for event in self.events
            if str(first) <= event["date"] <= str(last) and (person is None or person in event["attendees"])
        ]
        return {"events": sorted(events, key=lambda event: (event["date"], event["start"]))}

    def create_event(self, arguments: JSON) -> JSON:
        date, start = self.date(arguments["date"]), self.time(arguments["start"])
        attendees = arguments.get("attendees", [])
        event: JSON = {
            "title": arguments["title"].strip(),
            "date": str(date),
            "start": start.strftime("%H:%M"),
            "minutes": arguments.get("minutes", 30),
            "attendees": attendees,
        }
        for other in self.events:
            busy = sorted({*attendees} & {*other["attendees"]})
            if busy and other["date"] == event["date"] and overlap(event, other):
                raise DemoError(f"{', '.join(busy)} cannot come: “{other['title']}” is at {other['start']} that day.")
        self.events.append(event)
        return event

    @staticmethod
    def date(text: str) -> datetime.date:
        """Parse a date.

        Raises:
            DemoError: it is invalid.
        """
        try:
            return datetime.date.fromisoformat(text)
        except ValueError as error:
            raise DemoError(f"{text} is not a date: write it as 2026-05-03.") from error

    @staticmethod
    def time(text: str) -> datetime.time:
        """Parse a time of day.

        Raises:
            DemoError: it is invalid.
        """
        try:
            return datetime.time.fromisoformat(text)
        except ValueError as error:
            raise DemoError(f"{text} is not a time: write it as 14:30.") from error

    def weekly_update(self, arguments: JSON) -> str:
        team = arguments["team"]
        return (
            f"Write this week's update of the {team} team for the whole company, in at most eight sentences.\n"
            "Look up what was done and what is in progress in the tracker, and what is coming in the calendar.\n"
            f"Keep to our style:\n\n{self.page('writing-style')}"
        )


def overlap(one: JSON, other: JSON) -> bool:
    """Return True if two events of one day overlap."""
    begin, end = (minute(one["start"]), minute(one["start"]) + one["minutes"])
    return bool(begin < minute(other["start"]) + other["minutes"] and minute(other["start"]) < end)


def minute(text: str) -> int:
    """Return the minutes since midnight."""
    hours, minutes = text.split(":")
    return int(hours) * 60 + int(minutes)


def _schema(properties: JSON, *required: str) -> JSON:
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


def handbook(today: datetime.date | None = None) -> DemoServer:
    """Return the server, with a calendar around today."""
    data = Handbook(today or datetime.datetime.now().astimezone().date())
    page = {"type": "string", "minLength": 1, "description": "Identifier of the page, from search_pages."}
    text = {"type": "string", "minLength": 1}
    tools = [
        DemoTool(
            {
                "name": "search_pages",
                "title": "Search pages",
                "description": "Finds pages of the company handbook by words.",
                "inputSchema": _schema(
                    {
                        "query": {**text, "description": "Words that must all be on the page."},
                        "section": {"type": "string", "enum": list(SECTIONS)},
                    },
                    "query",
                ),
                "annotations": _READS,
            },
            data.search_pages,
        ),
        DemoTool(
            {
                "name": "read_page",
                "title": "Read page",
                "description": "Shows a page of the company handbook, as Markdown.",
                "inputSchema": _schema({"id": page}, "id"),
                "annotations": _READS,
            },
            data.read_page,
        ),
        DemoTool(
            {
                "name": "suggest_change",
                "title": "Suggest a change",
                "description": "Suggests a change to a page; its owner decides. The page stays as it is until then.",
                "inputSchema": _schema(
                    {"id": page, "text": {**text, "description": "What should be changed, and why."}}, "id", "text"
                ),
                "annotations": _ADDS,
            },
            data.suggest_change,
        ),
        DemoTool(
            {
                "name": "list_events",
                "title": "List events",
                "description": "Lists events of the shared calendar, the next seven days if nothing else is asked.",
                "inputSchema": _schema(
                    {
                        "from": {"type": "string", "format": "date", "description": "First day; today if left out."},
                        "days": {"type": "integer", "minimum": 1, "maximum": 31, "default": 7},
                        "person": {"type": "string", "description": "Only events of this user name."},
                    }
                ),
                "outputSchema": {
                    "type": "object",
                    "properties": {"events": {"type": "array", "items": _EVENT}},
                    "required": ["events"],
                },
                "annotations": _READS,
            },
            data.list_events,
        ),
        DemoTool(
            {
                "name": "create_event",
                "title": "Create event",
                "description": "Puts an event into the shared calendar and invites people.",
                "inputSchema": _schema(
                    {
                        "title": {**text, "description": "What it is for."},
                        "date": {"type": "string", "format": "date"},
                        "start": {"type": "string", "description": "Local time, HH:MM."},
                        "minutes": {"type": "integer", "minimum": 5, "maximum": 480, "default": 30},
                        "attendees": {"type": "array", "items": {"type": "string"}, "description": "User names."},
                    },
                    "title",
                    "date",
                    "start",
                ),
                "outputSchema": _EVENT,
                "annotations": _ADDS,
            },
            data.create_event,
        ),
    ]
    resources = [
        (
            {
                "uri": f"handbook://pages/{page_id}",
                "name": page_id,
                "title": _PAGES[page_id][0],
                "mimeType": "text/markdown",
            },
            lambda page_id=page_id: data.page(page_id),
        )
        for page_id in ("release-checklist", "writing-style")
    ]
    prompt = {
        "name": "weekly-update",
        "title": "Weekly update",
        "description": "Writes a team's weekly update in the company's style.",
        "arguments": [{"name": "team", "description": "Engineering, Design or Product.", "required": True}],
    }
    return DemoServer(
        "handbook",
        "Handbook (demo)",
        "A company's handbook and shared calendar. This is demo data: it lives in memory and starts afresh each time.",
        tools,
        resources,
        [(prompt, data.weekly_update)],
    )
