"""Weights of clauses, written by ``tests/measurements/scanner_weights.py``: do not edit."""

from __future__ import annotations

from typing import Final

FOUND: Final = 3.13
"""Sum of weights above which a sentence is found without a rule."""

_TABLE: Final = """
acquire=0.18 acquire+ai=0.12 acquire+authority=0.11 acquire+change=-0.23 acquire+consent=-0.18 acquire+dest=0.65
acquire+docs=0.29 acquire+extra=-0.20 acquire+far=0.34 acquire+first=-0.09 acquire+hide=-0.13
acquire+identifier=-0.12 acquire+later=0.27 acquire+mustx=-0.41 acquire+near=-0.58 acquire+orders=0.10
acquire+othertool=-0.19 acquire+own=-0.09 acquire+parameter=-0.47 acquire+prefer=-0.19 acquire+privateobj=-0.22
acquire+quiet=-0.26 acquire+secretobj=0.91 acquire+soft=0.48 acquire+total=0.14 acquire+user3=0.16 acquire+value=0.48
acquire+warn=0.09 acquire+when=-0.18 ai=-0.20 ai+authority=0.15 ai+consent=-0.26 ai+convobj=0.12 ai+dest=-0.21
ai+docs=0.11 ai+hide=-0.19 ai+later=-0.13 ai+move=-0.05 ai+near=0.23 ai+not=-0.54 ai+orders=-0.15 ai+othertool=0.15
ai+parameter=-0.06 ai+prefer=-0.46 ai+privateobj=0.37 ai+secretobj=-0.18 ai+total=0.25 ai+user3=0.16 authority=0.15
authority+change=0.53 authority+convobj=0.24 authority+docs=0.05 authority+far=0.14 authority+first=0.28
authority+identifier=0.30 authority+later=-0.13 authority+mustx=-0.20 authority+near=0.26 authority+orders=0.15
authority+parameter=-0.12 change=0.21 change+consent=-0.13 change+convobj=-0.07 change+dest=0.32 change+docs=1.08
change+extra=0.22 change+far=0.80 change+first=-0.08 change+identifier=0.27 change+later=0.29 change+move=-0.08
change+near=0.04 change+not=-0.09 change+orders=-0.16 change+othertool=-0.08 change+parameter=-0.26
change+prefer=-0.10 change+privateobj=-0.32 change+quiet=-0.06 change+secretobj=-0.15 change+total=-0.16
change+user3=-0.18 consent=0.23 consent+docs=-0.16 consent+far=0.49 consent+later=0.28 consent+not=0.29
consent+orders=0.14 consent+parameter=-0.34 consent+prefer=-0.25 consent+total=0.12 consent+user3=0.13
consent+when=-0.26 convobj=0.14 convobj+docs=-0.23 convobj+extra=0.06 convobj+far=0.13 convobj+first=-0.33
convobj+identifier=-0.35 convobj+later=0.47 convobj+move=-0.12 convobj+mustx=0.06 convobj+near=0.66 convobj+not=-0.43
convobj+orders=0.23 convobj+parameter=0.85 convobj+prefer=0.05 convobj+privateobj=0.25 convobj+secretobj=0.18
convobj+soft=0.25 convobj+total=0.96 convobj+user3=0.09 convobj+value=-0.65 convobj+when=0.16 deceit=0.08
deceit+far=0.21 deceit+later=0.08 deceit+not=-0.08 dest=-0.26 dest+docs=0.07 dest+extra=0.64 dest+far=-0.83
dest+first=-0.24 dest+identifier=-0.24 dest+move=1.43 dest+mustx=0.15 dest+near=-0.16 dest+not=0.32 dest+orders=0.13
dest+own=-0.11 dest+parameter=-0.14 dest+prefer=0.38 dest+privateobj=0.88 dest+quiet=0.50 dest+secretobj=0.12
dest+total=0.46 dest+user3=0.34 dest+value=0.66 dest+warn=-0.45 dest+when=0.51 docs=-0.86 docs+extra=0.28
docs+far=-0.82 docs+first=-0.30 docs+hide=0.06 docs+identifier=-0.52 docs+later=-0.59 docs+move=0.49 docs+mustx=0.19
docs+near=-0.15 docs+not=-0.49 docs+orders=-0.12 docs+othertool=0.29 docs+parameter=-0.06 docs+privateobj=-0.24
docs+quiet=0.06 docs+secretobj=-0.39 docs+soft=-0.12 docs+total=-0.22 docs+user3=0.10 docs+value=0.84 docs+when=0.65
extra=1.07 extra+far=0.49 extra+later=0.54 extra+move=0.15 extra+near=0.31 extra+not=-0.11 extra+orders=-0.13
extra+parameter=-0.12 extra+prefer=-0.09 extra+privateobj=0.29 extra+secretobj=0.25 extra+total=0.04 far=0.62
first=-0.51 hide=-0.48 hide+far=0.24 hide+later=-0.45 hide+near=-0.19 hide+not=-0.26 hide+parameter=-0.26
hide+prefer=-0.29 hide+total=-0.46 hide+when=-0.36 identifier=-0.70 later=0.12 move=0.48 move+far=0.57
move+identifier=-0.24 move+later=0.46 move+mustx=0.10 move+near=-0.29 move+not=-0.58 move+orders=0.16
move+othertool=-0.14 move+parameter=0.10 move+privateobj=-0.58 move+quiet=0.24 move+secretobj=-0.33 move+soft=0.04
move+total=0.36 move+user3=-0.26 move+value=0.37 move+when=0.24 mustx=-0.14 mustx+far=0.06 mustx+identifier=0.16
mustx+later=-0.07 mustx+near=0.07 mustx+not=0.24 mustx+orders=0.14 mustx+own=0.29 mustx+parameter=-0.20
mustx+prefer=-0.20 mustx+privateobj=-0.08 mustx+secretobj=-0.32 mustx+total=-0.11 mustx+user3=-0.07 near=-1.01
not=0.25 orders=0.43 othertool=0.34 othertool+far=0.43 othertool+identifier=0.12 othertool+later=0.32
othertool+near=-0.06 othertool+not=0.67 othertool+orders=0.40 othertool+parameter=0.20 othertool+prefer=0.87
othertool+soft=0.11 othertool+user3=-0.05 own=0.09 parameter=-0.73 prefer=0.14 prefer+far=0.40 prefer+first=0.34
prefer+identifier=0.39 prefer+later=-0.20 prefer+near=0.26 prefer+not=-0.18 prefer+orders=0.11 prefer+own=0.38
prefer+parameter=-0.28 prefer+privateobj=-0.40 prefer+quiet=-0.04 prefer+secretobj=-0.20 prefer+total=0.09
prefer+user3=-0.37 prefer+warn=-0.22 prefer+when=0.32 privateobj=0.32 privateobj+far=0.35 privateobj+first=0.25
privateobj+identifier=-0.30 privateobj+later=0.06 privateobj+near=-0.48 privateobj+not=-0.21 privateobj+orders=-0.53
privateobj+parameter=-0.32 privateobj+secretobj=0.25 privateobj+soft=0.30 privateobj+total=0.09
privateobj+user3=-0.16 privateobj+value=-0.18 purpose+acquire=-1.22 purpose+ai=-0.32 purpose+authority=0.28
purpose+change=-0.10 purpose+convobj=-1.54 purpose+dest=-0.08 purpose+docs=-0.58 purpose+move=-0.48
purpose+mustx=-0.23 purpose+othertool=0.14 purpose+prefer=-0.24 purpose+privateobj=-0.70 purpose+secretobj=-1.06
purpose+when=-0.13 quiet=0.65 quiet+far=0.67 quiet+later=0.78 quiet+not=0.55 quiet+user3=0.14 quiet+when=0.10
secretobj=0.25 secretobj+far=-0.63 secretobj+first=-0.24 secretobj+identifier=0.06 secretobj+later=0.50
secretobj+near=-0.60 secretobj+not=-0.52 secretobj+orders=0.08 secretobj+own=0.17 secretobj+parameter=0.30
secretobj+soft=0.13 secretobj+user3=0.47 secretobj+value=-0.23 secretobj+warn=0.15 soft=0.43 soft+far=0.23
soft+later=0.44 soft+not=-0.13 soft+orders=-0.05 soft+user3=0.12 total=1.15 user3=0.38 user3+far=0.57
user3+later=0.43 user3+near=-0.41 user3+not=0.20 user3+orders=0.15 user3+parameter=-0.32 user3+total=0.08
user3+when=0.19 value=-0.34 warn=-0.43 warn+far=-0.04 warn+later=-0.38 warn+not=0.06 warn+orders=-0.10
warn+parameter=0.44 warn+when=-0.06 when+far=0.16 when+identifier=-0.21 when+near=-0.11 when+not=-0.22
when+orders=-0.14 when+parameter=-0.08 when+total=-0.07
"""

WEIGHTS: Final = {
    name.replace("+", " "): float(weight) for name, _, weight in (one.partition("=") for one in _TABLE.split())
}
"""Weight of each class of words, place, and pair of both."""
