"""The auditor puts what a rule book claims to the test. Every figure comes from the judge.

>>> from ninefold import books
>>> from ninefold.audit import audit
>>> report = audit(books.load_book("sequence-duel-arithmetic"))
>>> [claim.says for claim in report.audits[0].claims if claim.verdict == "refuted"][0]
'5 5 5 wins, with a difference of zero.'
>>> [example.name for example in report.audits[0].examples if example.right is False]
['Example 2']
"""

from ninefold.audit.report import Audit, Report, audit

__all__ = ["Audit", "Report", "audit"]
