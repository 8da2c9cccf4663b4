"""Demo server ``tracker``: the issues of a small product team, in memory."""

from __future__ import annotations

import datetime
from typing import Any

from toolnote_desktop.demo.server import JSON, DemoError, DemoServer, DemoTool
from toolnote_desktop.demo.team import ISSUES, LABELS, PEOPLE, STATUSES, TEAMS

_ISSUE_PROPERTIES: JSON = {
    "id": {"type": "string", "description": "Identifier, like TRK-4."},
    "title": {"type": "string"},
    "team": {"type": "string", "enum": list(TEAMS)},
    "status": {"type": "string", "enum": list(STATUSES)},
    "priority": {"type": "integer", "description": "0 none, 1 urgent, 2 high, 3 medium, 4 low."},
    "assignee": {"type": ["string", "null"], "description": "Name of a person, null for none."},
    "labels": {"type": "array", "items": {"type": "string"}},
    "updated": {"type": "string", "format": "date"},
}
_ISSUE_SCHEMA: JSON = {
    "type": "object",
    "properties": {
        **_ISSUE_PROPERTIES,
        "description": {"type": "string"},
        "comments": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"author": {"type": "string"}, "date": {"type": "string"}, "text": {"type": "string"}},
                "required": ["author", "date", "text"],
            },
        },
    },
    "required": [*_ISSUE_PROPERTIES, "description", "comments"],
}
_FOUND_SCHEMA: JSON = {
    "type": "object",
    "properties": {
        "total": {"type": "integer", "description": "How many fit; the list may be shorter."},
        "issues": {
            "type": "array",
            "items": {"type": "object", "properties": _ISSUE_PROPERTIES, "required": list(_ISSUE_PROPERTIES)},
        },
    },
    "required": ["total", "issues"],
}

_ID: JSON = {"type": "string", "minLength": 1, "description": "Identifier of the issue, like TRK-4."}
_TITLE: JSON = {"type": "string", "minLength": 1, "description": "One line that says what is wrong or wanted."}
_TEAM: JSON = {"type": "string", "enum": list(TEAMS), "description": "The team that does the work."}
_STATUS: JSON = {"type": "string", "enum": list(STATUSES)}
_DESCRIPTION: JSON = {"type": "string", "description": "Details, in Markdown."}
_PRIORITY: JSON = {
    "type": "integer",
    "minimum": 0,
    "maximum": 4,
    "description": "0 none, 1 urgent, 2 high, 3 medium, 4 low.",
}
_ASSIGNEE: JSON = {"type": "string", "description": "Who does it: a user name from list_people."}
_LABELS: JSON = {"type": "array", "items": {"type": "string", "enum": list(LABELS)}, "description": "Labels."}


def _definition(
    name: str,
    title: str,
    description: str,
    properties: JSON,
    required: list[str],
    hints: str,
    output: JSON | None = None,
) -> JSON:
    schema: JSON = {"type": "object", "properties": properties, "additionalProperties": False}
    if required:
        schema["required"] = required
    definition: JSON = {"name": name, "title": title, "description": description, "inputSchema": schema}
    if output is not None:
        definition["outputSchema"] = output
    definition["annotations"] = {
        "readOnlyHint": hints == "reads",
        "destructiveHint": hints == "destroys",
        "idempotentHint": hints in ("reads", "sets", "destroys"),
        "openWorldHint": False,
    }
    return definition


class Tracker:
    """Issues and their operations."""

    def __init__(self, today: datetime.date) -> None:
        self.today = today
        self.issues: dict[str, JSON] = {}
        for title, team, status, priority, assignee, labels, age, description in ISSUES:
            self.add(title, team, status, priority, assignee, list(labels), description, age)
        self.issues["TRK-1"]["comments"].append(
            {"author": "Ana Ruiz", "date": str(today), "text": "Two more reports today. Can we have a fix by Thursday?"}
        )

    def add(
        self,
        title: str,
        team: str,
        status: str,
        priority: int,
        assignee: str | None,
        labels: list[str],
        description: str,
        age: int = 0,
    ) -> JSON:
        """Add an issue and return it."""
        issue: JSON = {
            "id": f"TRK-{len(self.issues) + 1}",
            "title": title,
            "team": team,
            "status": status,
            "priority": priority,
            "assignee": PEOPLE[assignee][0] if assignee else None,
            "labels": labels,
            "updated": str(self.today - datetime.timedelta(days=age)),
            "description": description,
            "comments": [],
        }
        self.issues[issue["id"]] = issue
        return issue

    def find(self, issue_id: str) -> JSON:
        """Return one issue.

        Raises:
            DemoError: it does not exist.
        """
        issue = self.issues.get(issue_id.strip().upper())
        if issue is None:
            raise DemoError(f"There is no issue {issue_id}. Use search_issues to find its identifier.")
        return issue

    def list_teams(self, arguments: JSON) -> JSON:
        teams = []
        for team in TEAMS:
            members = [name for name, place, _ in PEOPLE.values() if place == team]
            active = [i for i in self.issues.values() if i["team"] == team and i["status"] not in ("done", "cancelled")]
            teams.append({"name": team, "members": members, "openIssues": len(active)})
        return {"teams": teams}

    def list_people(self, arguments: JSON) -> JSON:
        wanted = arguments.get("team")
        return {
            "people": [
                {"user": user, "name": name, "team": team, "role": role}
                for user, (name, team, role) in PEOPLE.items()
                if wanted in (None, team)
            ]
        }

    def search_issues(self, arguments: JSON) -> JSON:
        words = str(arguments.get("query", "")).casefold().split()
        assignee = self.person(arguments["assignee"]) if "assignee" in arguments else None
        found = [
            issue
            for issue in self.issues.values()
            if all(word in f"{issue['id']} {issue['title']} {issue['description']}".casefold() for word in words)
            and arguments.get("team", issue["team"]) == issue["team"]
            and arguments.get("status", issue["status"]) == issue["status"]
            and (assignee is None or issue["assignee"] == assignee)
            and ("label" not in arguments or arguments["label"] in issue["labels"])
        ]
        found.sort(key=lambda issue: (issue["priority"] or 9, issue["updated"]))
        shown = found[: arguments.get("limit", 20)]
        return {"total": len(found), "issues": [{key: issue[key] for key in _ISSUE_PROPERTIES} for issue in shown]}

    def person(self, user: str) -> str:
        """Return the name of a person.

        Raises:
            DemoError: the user name is unknown.
        """
        if user not in PEOPLE:
            raise DemoError(f"There is no person {user}. User names: {', '.join(PEOPLE)}.")
        return PEOPLE[user][0]

    def create_issue(self, arguments: JSON) -> JSON:
        assignee = arguments.get("assignee")
        if assignee is not None:
            self.person(assignee)
        return self.add(
            arguments["title"].strip(),
            arguments["team"],
            arguments.get("status", "backlog"),
            arguments.get("priority", 0),
            assignee,
            arguments.get("labels", []),
            arguments.get("description", ""),
        )

    def update_issue(self, arguments: JSON) -> JSON:
        issue = self.find(arguments["id"])
        changes: dict[str, Any] = {key: value for key, value in arguments.items() if key != "id"}
        if not changes:
            raise DemoError("Nothing to change was given.")
        if "assignee" in changes:
            changes["assignee"] = self.person(changes["assignee"])
        issue.update(changes, updated=str(self.today))
        return issue

    def add_comment(self, arguments: JSON) -> JSON:
        issue = self.find(arguments["id"])
        comment = {"author": "You", "date": str(self.today), "text": arguments["text"].strip()}
        issue["comments"].append(comment)
        issue["updated"] = str(self.today)
        return {"id": issue["id"], "comment": comment, "comments": len(issue["comments"])}

    def cancel_issue(self, arguments: JSON) -> JSON:
        issue = self.find(arguments["id"])
        if issue["status"] == "done":
            raise DemoError(f"{issue['id']} is done; what is done cannot be cancelled.")
        issue.update(status="cancelled", assignee=None, updated=str(self.today))
        reason = {"author": "You", "date": str(self.today), "text": f"Cancelled: {arguments['reason'].strip()}"}
        issue["comments"].append(reason)
        return issue


def tracker(today: datetime.date | None = None) -> DemoServer:
    """Return the server, with data relative to today."""
    data = Tracker(today or datetime.datetime.now().astimezone().date())
    search = {
        "query": {"type": "string", "description": "Words that must all be in the title or the description."},
        "team": _TEAM,
        "status": _STATUS,
        "assignee": _ASSIGNEE,
        "label": {"type": "string", "enum": list(LABELS)},
        "limit": {"type": "integer", "minimum": 1, "maximum": 50, "default": 20, "description": "Most issues to show."},
    }
    create = {
        "title": _TITLE,
        "team": _TEAM,
        "description": _DESCRIPTION,
        "priority": {**_PRIORITY, "default": 0},
        "labels": _LABELS,
        "assignee": _ASSIGNEE,
        "status": {**_STATUS, "default": "backlog"},
    }
    update = {
        "id": _ID,
        "title": _TITLE,
        "description": _DESCRIPTION,
        "team": _TEAM,
        "status": _STATUS,
        "priority": _PRIORITY,
        "labels": {**_LABELS, "description": "All labels it is to have; what is not named is taken away."},
        "assignee": _ASSIGNEE,
    }
    comment = {"id": _ID, "text": {"type": "string", "minLength": 1, "description": "The comment, in Markdown."}}
    cancel = {"id": _ID, "reason": {"type": "string", "minLength": 1, "description": "Why it will not be done."}}
    one = {"id": _ID}
    tools = [
        DemoTool(
            _definition("create_issue", "Create issue", "Creates a new issue in the tracker.", create,
                        ["title", "team"], "adds", _ISSUE_SCHEMA),
            data.create_issue,
        ),
        DemoTool(
            _definition("search_issues", "Search issues",
                        "Finds issues by words, team, status, person or label; most urgent first.", search, [],
                        "reads", _FOUND_SCHEMA),
            data.search_issues,
        ),
        DemoTool(
            _definition("get_issue", "Get issue", "Shows one issue with its description and comments.", one, ["id"],
                        "reads", _ISSUE_SCHEMA),
            lambda arguments: data.find(arguments["id"]),
        ),
        DemoTool(
            _definition("update_issue", "Update issue", "Changes fields of an issue; the others stay as they are.",
                        update, ["id"], "sets", _ISSUE_SCHEMA),
            data.update_issue,
        ),
        DemoTool(
            _definition("add_comment", "Add comment", "Adds a comment to an issue; the whole team sees it.",
                        comment, ["id", "text"], "adds"),
            data.add_comment,
        ),
        DemoTool(
            _definition("cancel_issue", "Cancel issue", "Cancels an issue and removes its assignee.", cancel,
                        ["id", "reason"], "destroys", _ISSUE_SCHEMA),
            data.cancel_issue,
        ),
        DemoTool(
            _definition("list_teams", "List teams", "Lists the teams, who is in them, and their open issues.", {}, [],
                        "reads"),
            data.list_teams,
        ),
        DemoTool(
            _definition("list_people", "List people", "Lists people with their user names, teams and roles.",
                        {"team": _TEAM}, [], "reads"),
            data.list_people,
        ),
    ]  # fmt: skip
    return DemoServer(
        "tracker",
        "Tracker (demo)",
        "The issues of a small product team. This is demo data: it lives in memory and starts afresh each time.",
        tools,
    )
