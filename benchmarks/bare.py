"""The site with two addresses more: what storing a row, or listing a hundred, costs by itself."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.urls import path
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from referee.models import RecordedEvent
from tournaments.models import Player
from tournaments.project.urls import urlpatterns as site


class BareEventSerializer(serializers.Serializer):
    round = serializers.IntegerField()
    number = serializers.IntegerField(min_value=0)
    event = serializers.CharField()
    client_key = serializers.UUIDField()


class BareEvents(APIView):
    """Store a row of the table that events are kept in, without lock, replay or check."""

    permission_classes = [IsAuthenticated]

    def post(self, request: Request) -> Response:
        new = BareEventSerializer(data=request.data)
        new.is_valid(raise_exception=True)
        said, user = new.validated_data, request.user
        assert isinstance(user, User)
        RecordedEvent.objects.create(
            round_id=said["round"],
            number=said["number"],
            notation=said["event"],
            client_key=said["client_key"],
            recorded_by=user,
        )
        return Response({"number": said["number"]}, status=201)


class BarePlayerSerializer(serializers.ModelSerializer):
    class Meta:
        model = Player
        fields = ("id", "name", "country", "club")


class BarePlayers(ListAPIView):
    """List a hundred rows, as the framework does it with nothing of ours."""

    permission_classes = [AllowAny]
    pagination_class = None
    serializer_class = BarePlayerSerializer
    queryset = Player.objects.order_by("pk")[:100]


urlpatterns = [
    *site,
    path("bare/", BareEvents.as_view()),
    path("bare/players/", BarePlayers.as_view()),
]
